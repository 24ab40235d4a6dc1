import type { MkdirBody } from "@computeragent/protocol";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";

/** POST …/fs/mkdir: makes a folder. */
export async function postMkdir(fs: WorkspaceFs, parsed: MkdirBody): Promise<JsonAnswer> {
  await fs.mkdir(parsed.path, parsed.recursive);
  return json({ ok: true });
}
