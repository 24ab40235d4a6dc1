import type { MkdirBody } from "@computeragent/protocol";
import type { Context } from "hono";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";

/** POST …/fs/mkdir: makes a folder. */
export async function postMkdir(c: Context, fs: WorkspaceFs, parsed: MkdirBody): Promise<Response> {
  await fs.mkdir(parsed.path, parsed.recursive);
  return c.json({ ok: true });
}
