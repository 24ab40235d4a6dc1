import type { TreeQuery } from "@computeragent/protocol";
import type { Context } from "hono";
import type { z } from "zod";
import type { WorkspaceFs } from "../../../../fs/workspace-fs.ts";

/** GET …/fs/tree: one page of a listing. */
export async function getTree(c: Context, fs: WorkspaceFs, parsed: z.infer<typeof TreeQuery>): Promise<Response> {
  return c.json(await fs.tree(parsed));
}
