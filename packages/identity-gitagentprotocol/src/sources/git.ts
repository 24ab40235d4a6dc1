import { mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { Budget } from "../files/budget.ts";
import { copyTree } from "../files/copy-tree.ts";
import { gitIn } from "../git/client.ts";
import { fetchCommit, openRepository } from "../git/fetch-commit.ts";
import { resolveRef } from "../git/resolve-ref.ts";
import { type GitSpelling, type GitTarget, parseGitSource } from "../git/spelling.ts";
import { listTree } from "../git/tree-listing.ts";
import { allowLocalRepository } from "./allowed-roots.ts";
import type { Materialiser } from "./materialiser.ts";

/**
 * Fetches one commit without history, of a subfolder only that folder's files, and puts them into `dir` without `.git`.
 * Returns the commit id.
 */
export async function materialiseGit(spelling: GitSpelling, to: Materialiser): Promise<string> {
  const target = await allowLocalRepository(parseGitSource(spelling), to.options.localSources);
  const scratch = await mkdtemp(join(to.generatedDir, ".checkout-"));
  try {
    return await viaScratch(target, await realpath(scratch), to);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function viaScratch(target: GitTarget, scratch: string, to: Materialiser): Promise<string> {
  const git = gitIn(scratch, target, to.limits, to.options, to.signal);
  await openRepository(git);
  const resolved = await resolveRef(git);
  const { subdir } = resolved;
  const sha = await fetchCommit(git, resolved, { filtered: subdir !== undefined });
  const { submodules } = await listTree(git, sha, subdir);
  for (const path of submodules) {
    to.notices.add("warning", "gap.source.submodule", path, "A submodule: its content is not fetched.");
  }
  await git.out(["checkout", "--quiet", sha, "--", subdir ?? "."]);
  await copyTree({
    from: subdir === undefined ? scratch : join(scratch, subdir),
    to: to.dir,
    leaveOut: new Set([".git"]),
    gitignore: false,
    budget: new Budget(to.limits),
    notices: to.notices,
    signal: to.signal,
  });
  return sha;
}
