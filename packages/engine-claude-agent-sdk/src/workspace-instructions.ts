import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** More of a file than this is not read. */
const MAX_BYTES = 64 * 1024;
const FILES = ["CLAUDE.md", "AGENTS.md"];

/** What a workspace tells its agents. */
export interface WorkspaceInstructions {
  /** Name of the file. */
  readonly file: string;
  readonly text: string;
  /** True if the file is longer than what is in `text`. */
  readonly truncated: boolean;
}

/** The workspace's CLAUDE.md, else its AGENTS.md; regular files only, links are not followed. Null if there is none with text in it. */
export async function readWorkspaceInstructions(workspace: string): Promise<WorkspaceInstructions | null> {
  for (const file of FILES) {
    const found = await readStart(join(workspace, file));
    if (found && found.text.trim() !== "") return { file, ...found };
  }
  return null;
}

async function readStart(path: string): Promise<{ text: string; truncated: boolean } | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => null);
  if (!handle) return null;
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return null;
    const buffer = Buffer.alloc(Math.min(stat.size, MAX_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    // `stream` keeps back a character that the limit cuts in two.
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: stat.size > MAX_BYTES });
    return { text, truncated: stat.size > MAX_BYTES };
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
