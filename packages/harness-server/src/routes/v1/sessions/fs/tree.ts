import type { TreeQuery } from "@computeragent/protocol";
import type { z } from "zod";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";
import { type JsonAnswer, json } from "../../../../http/answer.ts";

/** GET …/fs/tree: one page of a listing. */
export async function getTree(fs: WorkspaceFs, parsed: z.infer<typeof TreeQuery>): Promise<JsonAnswer> {
  return json(await fs.tree(parsed));
}
