import { realpath, stat } from "node:fs/promises";
import { isAbsolute, sep } from "node:path";
import { type CreateSessionBody, WireError } from "@computeragent/protocol";
import type { ResolvedConfig } from "../config.ts";

/** Checks a `local` workspace against the operator's roots. Returns its real path. */
export async function localWorkspace(path: string, roots: readonly string[]): Promise<string> {
  if (!isAbsolute(path) || path.includes("\0")) {
    throw new WireError("VALIDATION", "workspace.path must be an absolute path", {
      errors: [{ pointer: "/workspace/path", message: "must be absolute" }],
    });
  }
  const real = await realpath(path).catch(() => undefined);
  for (const root of roots) {
    const realRoot = await realpath(root).catch(() => undefined);
    if (!real || !realRoot) continue;
    if (real !== realRoot && !real.startsWith(realRoot === sep ? sep : realRoot + sep)) continue;
    if (!(await stat(real)).isDirectory()) {
      throw new WireError("VALIDATION", "workspace.path is not a folder", {
        errors: [{ pointer: "/workspace/path", message: "is not a folder" }],
      });
    }
    return real;
  }
  throw new WireError(
    "WORKSPACE_NOT_ALLOWED",
    "this folder is missing or not under a folder that the operator allowed (serve --allow-workspace DIR)",
  );
}

/** Fetches a `git` workspace into `dir`. */
export async function gitWorkspace(
  workspace: Extract<NonNullable<CreateSessionBody["workspace"]>, { type: "git" }>,
  dir: string,
  config: ResolvedConfig,
  signal: AbortSignal,
): Promise<void> {
  if (!config.gitCheckout) throw new WireError("VALIDATION", "this host fetches no git workspaces");
  await config.gitCheckout({
    url: workspace.url,
    dir,
    signal,
    ...(workspace.ref === undefined ? {} : { ref: workspace.ref }),
  });
}
