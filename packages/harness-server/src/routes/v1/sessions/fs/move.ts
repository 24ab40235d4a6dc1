import type { MoveBody } from "@computeragent/protocol";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";

/** POST …/fs/move: moves a file or folder. */
export async function postMove(fs: WorkspaceFs, parsed: MoveBody): Promise<JsonAnswer> {
  await fs.move(parsed.from, parsed.to, parsed.overwrite);
  return json({ ok: true });
}
