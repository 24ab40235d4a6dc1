import { mkdtemp, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Git, gitIn } from "../git/client.ts";
import { fetchCommit, openRepository } from "../git/fetch-commit.ts";
import { type ResolvedRef, resolveRef } from "../git/resolve-ref.ts";
import { type GitSpelling, parseGitSource } from "../git/spelling.ts";
import { listTree } from "../git/tree-listing.ts";
import { allowLocalRepository } from "./allowed-roots.ts";
import { type CommitStore, commitStore } from "./commit-store.ts";
import { copyCommit } from "./copy-commit.ts";
import type { Materialiser } from "./materialiser.ts";

/**
 * Puts the files of one commit, or of one folder in it, into `dir` without `.git`: from the cache if it has them, else fetched
 * without history. Returns the commit id.
 */
export async function materialiseGit(spelling: GitSpelling, to: Materialiser): Promise<string> {
  const spelled = parseGitSource(spelling);
  const store = commitStore(spelled, to);
  const known = await store.withoutAsking();
  if (known !== undefined) return known;
  const target = await allowLocalRepository(spelled, to.options.localSources);
  const scratch = await mkdtemp(join(to.generatedDir, ".checkout-"));
  try {
    const git = gitIn(await realpath(scratch), target, to.limits, to.options, to.signal);
    await openRepository(git);
    const resolved = await resolveRef(git);
    if (resolved.sha !== undefined && (await store.has(resolved.sha, resolved.subdir))) {
      // A whole commit id was not asked for yet: whoever may not read the repository learns nothing from the cache either.
      if (resolved.name === undefined) await git.out(["ls-remote", "--quiet", "origin", "HEAD"]);
      if (await store.copy(resolved.sha, resolved.subdir)) return resolved.sha;
    }
    return await fetched(git, resolved, store, to);
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fetched(git: Git, resolved: ResolvedRef, store: CommitStore, to: Materialiser): Promise<string> {
  const { subdir } = resolved;
  const sha = await fetchCommit(git, resolved, { filtered: subdir !== undefined });
  const { submodules } = await listTree(git, sha, subdir);
  await git.out(["checkout", "--quiet", sha, "--", subdir ?? "."]);
  const files = subdir === undefined ? git.dir : join(git.dir, subdir);
  await copyCommit(files, submodules, to);
  await store.keep(sha, subdir, files, submodules);
  return sha;
}
