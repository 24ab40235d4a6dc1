import type { EditBody, Edited } from "@computeragent/protocol";
import type { Context } from "hono";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";
import { conditionsOf } from "./conditions.ts";

/** POST …/fs/edit: replaces text in a file. */
export async function postEdit(c: Context, fs: WorkspaceFs, parsed: EditBody): Promise<JsonAnswer> {
  const answer: Edited = { ok: true, ...(await fs.edit(parsed, conditionsOf(c))) };
  return json(answer, 200, { etag: `"${answer.sha}"` });
}
