import type { MoveBody } from "@computeragent/protocol";
import type { Context } from "hono";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";

/** POST …/fs/move: moves a file or folder. */
export async function postMove(c: Context, fs: WorkspaceFs, parsed: MoveBody): Promise<Response> {
  await fs.move(parsed.from, parsed.to, parsed.overwrite);
  return c.json({ ok: true });
}
