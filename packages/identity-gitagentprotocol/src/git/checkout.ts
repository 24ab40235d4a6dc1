import type { GitCheckout } from "@computeragent/protocol";
import { type GitCheckoutOptions, WORKSPACE_LIMITS } from "../options.ts";
import { allowLocalRepository } from "../sources/allowed-roots.ts";
import { withinSource } from "../sources/within-source.ts";
import { gitIn } from "./client.ts";
import { fetchCommit, openRepository } from "./fetch-commit.ts";
import { refRefusal } from "./ref-name.ts";
import { resolveRef } from "./resolve-ref.ts";
import { type GitTarget, parseGitSource } from "./spelling.ts";
import { listTree } from "./tree-listing.ts";
import { unreachable } from "./unreachable.ts";

/** Makes the function that fetches git workspaces: a shallow clone with its `.git`, on a branch when the ref names one. */
export function createGitCheckout(options: GitCheckoutOptions): GitCheckout {
  return async ({ url, ref, dir, signal }) => {
    const limits = { ...WORKSPACE_LIMITS, ...options.limits };
    const spelled = wholeRepository(parseGitSource({ url, ref }));
    return withinSource({ shown: spelled.shown, signal, timeoutMs: limits.timeoutMs, dirs: [dir] }, async (inTime) => {
      const target = await allowLocalRepository(spelled, options.localSources);
      const git = gitIn(dir, target, limits, options, inTime);
      await openRepository(git);
      const resolved = await resolveRef(git);
      const sha = await fetchCommit(git, resolved, { filtered: false });
      await listTree(git, sha);
      await git.out(["checkout", "--quiet", ...startingPoint(sha, resolved.branch)]);
      return { sha };
    });
  };
}

/** The target, without a folder: what follows `/tree/` is the name of the ref alone. */
function wholeRepository({ page, subdir, ...target }: GitTarget): GitTarget {
  if (page !== undefined && refRefusal(page) === undefined) return { ...target, ref: page };
  if (subdir !== undefined) throw unreachable("A git workspace is a whole repository: leave the folder out");
  return target;
}

function startingPoint(sha: string, branch: string | undefined): string[] {
  if (branch === undefined || refRefusal(branch)) return ["--detach", sha];
  return ["-B", branch, "--track", `refs/remotes/origin/${branch}`];
}
