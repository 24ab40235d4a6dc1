import { join } from "node:path";
import { createWorkspaceFs, removeUnfinished, type WorkspaceFs } from "../fs/index.ts";
import type { Host } from "./host.ts";

const UNFINISHED = "unfinished";

/** The file service of a workspace: its limits, and where the host notes what is not finished. */
export function workspaceFiles(host: Host, root: string): WorkspaceFs {
  const { maxFileBytes } = host.config.limits;
  return createWorkspaceFs({ root, maxFileBytes, unfinished: join(host.dirs.root, UNFINISHED) });
}

/**
 * Removes from workspaces what a host left half-written when it was killed. `dataDir`: that host's own, which no host that is alive
 * may use. Never rejects.
 */
export async function sweepWorkspaces(dataDir: string): Promise<void> {
  await removeUnfinished(join(dataDir, UNFINISHED));
}
