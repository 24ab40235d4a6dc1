import type { GitCheckout } from "@computeragent/protocol";
import { type GitCheckoutOptions, WORKSPACE_LIMITS } from "../options.ts";
import { allowLocalRepository } from "../sources/allowed-roots.ts";
import { withinSource } from "../sources/within-source.ts";
import { gitIn } from "./client.ts";
import { type FetchedCommit, fetchCommit } from "./fetch-commit.ts";
import { refRefusal } from "./ref-name.ts";
import { parseGitSource } from "./spelling.ts";
import { listTree } from "./tree-listing.ts";
import { unreachable } from "./unreachable.ts";

/** Makes the function that fetches git workspaces: a shallow clone with its `.git`, on a branch when the ref names one. */
export function createGitCheckout(options: GitCheckoutOptions): GitCheckout {
  return async ({ url, ref, dir, signal }) => {
    const limits = { ...WORKSPACE_LIMITS, ...options.limits };
    const spelled = parseGitSource({ url, ref });
    if (spelled.subdir !== undefined) throw unreachable("A git workspace is a whole repository: leave the folder out");
    return withinSource({ shown: spelled.shown, signal, timeoutMs: limits.timeoutMs, dirs: [dir] }, async (inTime) => {
      const target = await allowLocalRepository(spelled, options.localSources);
      const git = gitIn(dir, target, limits, options, inTime);
      const commit = await fetchCommit(git, { filtered: false });
      await listTree(git, commit.sha);
      await git.out(["checkout", "--quiet", ...startingPoint(commit)]);
      return { sha: commit.sha };
    });
  };
}

function startingPoint({ sha, branch }: FetchedCommit): string[] {
  if (branch === undefined || refRefusal(branch)) return ["--detach", sha];
  return ["-B", branch, "--track", `refs/remotes/origin/${branch}`];
}
