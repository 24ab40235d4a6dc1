import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { WireError } from "@computeragent/protocol";
import type { GitTarget } from "../git/spelling.ts";
import { unreachable } from "../git/unreachable.ts";
import type { LocalSources } from "../options.ts";

/**
 * Real path of a folder that a caller names. Rejects with `WireError` WORKSPACE_NOT_ALLOWED outside of the allowed roots,
 * whether or not there is something, and SOURCE_UNREACHABLE when there is no such folder inside of them.
 */
export async function allowedFolder(path: string, allowed: LocalSources = []): Promise<string> {
  const real = await checkAllowed(path, allowed);
  const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || !stats) throw unreachable(`There is no folder ${path}`);
  if (!stats.isDirectory()) throw unreachable(`${path} is not a folder`);
  return real;
}

/** Real path of what a caller names, undefined where there is nothing. Rejects as above outside of the allowed roots. */
export async function checkAllowed(path: string, allowed: LocalSources = []): Promise<string | undefined> {
  if (!isAbsolute(path) || path.includes("\0")) throw unreachable("The path of a local source must be absolute");
  const real = await realpath(path).catch(() => undefined);
  if (allowed !== "any" && !(await isInside(real ?? resolve(path), allowed))) {
    throw new WireError("WORKSPACE_NOT_ALLOWED", `The operator does not allow the local source ${path}`);
  }
  return real;
}

/** The target itself, or for a repository of this machine the target at its real path, if the operator allows it. */
export async function allowLocalRepository(target: GitTarget, allowed: LocalSources | undefined): Promise<GitTarget> {
  if (target.path === undefined) return target;
  const real = await allowedFolder(target.path, allowed);
  return { ...target, path: real, url: pathToFileURL(real).href };
}

async function isInside(path: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) {
    for (const folder of [root, await realpath(root).catch(() => root)]) {
      const inside = relative(folder, path);
      if (inside === "" || (inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside))) return true;
    }
  }
  return false;
}
