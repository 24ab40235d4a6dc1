import type { EditBody, Edited } from "@computeragent/protocol";
import type { Context } from "hono";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";

/** POST …/fs/edit: replaces text in a file. */
export async function postEdit(c: Context, fs: WorkspaceFs, parsed: EditBody): Promise<Response> {
  const answer: Edited = { ok: true, ...(await fs.edit(parsed)) };
  c.header("ETag", `"${answer.sha}"`);
  return c.json(answer);
}
