import type { MoveBody } from "@computeragent/protocol";
import type { Context } from "hono";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";
import { conditionsOf } from "./conditions.ts";

/** POST …/fs/move: moves a file or folder. */
export async function postMove(c: Context, fs: WorkspaceFs, parsed: MoveBody): Promise<JsonAnswer> {
  await fs.move(parsed.from, parsed.to, parsed.overwrite, conditionsOf(c));
  return json({ ok: true });
}
