import { createReadStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Every entry of a conversation has this field; the lines around it (queue, mode, costs) have not. */
const ENTRY = Buffer.from('"parentUuid":');

/**
 * True if the folder of the CLI holds a conversation of this id to go on with. A transcript that was cut off before its first
 * entry is removed: the CLI would neither resume it nor give its id to a new one.
 */
export async function claimTranscript(configDir: string, id: string): Promise<boolean> {
  const projects = join(configDir, "projects");
  const folders = await readdir(projects, { withFileTypes: true }).catch(() => []);
  let found = false;
  for (const folder of folders) {
    if (!folder.isDirectory()) continue;
    const path = join(projects, folder.name, `${id}.jsonl`);
    const begun = await hasEntry(path);
    if (begun === false) await rm(path, { force: true });
    found ||= begun === true;
  }
  return found;
}

/** Undefined if there is no such file. */
async function hasEntry(path: string): Promise<boolean | undefined> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path)) {
      const bytes = Buffer.concat([rest, chunk]);
      if (bytes.includes(ENTRY)) return true;
      rest = bytes.subarray(-ENTRY.length);
    }
    return false;
  } catch {
    return undefined;
  }
}
