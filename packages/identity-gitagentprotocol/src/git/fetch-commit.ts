import type { Git } from "./client.ts";
import { gitFailure, isUnknownRef } from "./failures.ts";
import { isCommitId, isShortCommitId } from "./ref-name.ts";
import { unreachable } from "./unreachable.ts";

/** A commit that is now in the local repository. `branch` when the ref named one. */
export interface FetchedCommit {
  readonly sha: string;
  readonly branch?: string;
}

/** A branch or tag of the remote. */
interface RemoteRef {
  readonly name: string;
  readonly branch?: string;
}

/**
 * Makes a repository in git's folder and fetches the target's commit without its history. `filtered` leaves the file
 * contents on the server, where it can. Rejects with `WireError` SOURCE_UNREACHABLE.
 */
export async function fetchCommit(git: Git, { filtered }: { readonly filtered: boolean }): Promise<FetchedCommit> {
  const { ref, url } = git.target;
  await git.out(["init", "--quiet", "--template=", "."]);
  await git.out(["remote", "add", "origin", url]);
  const options = ["--depth=1", ...(filtered ? ["--filter=blob:none"] : [])];
  if (ref !== undefined && isCommitId(ref)) {
    const direct = await git.attempt(["fetch", ...QUIET, ...options, "origin", ref]);
    if (direct.code === 0) return { sha: await commitOf(git, "FETCH_HEAD") };
    if (!isUnknownRef(direct)) throw gitFailure(git.target.shown, direct);
    return fetchAll(git, ref);
  }
  const found = await findRef(git, ref);
  if (!found && ref !== undefined && isShortCommitId(ref)) return fetchAll(git, ref);
  if (!found) throw noSuchRef(git);
  const keepAs = found.branch === undefined ? found.name : `refs/remotes/origin/${found.branch}`;
  await git.out(["fetch", ...QUIET, ...options, "origin", `+${found.name}:${keepAs}`]);
  const sha = await commitOf(git, "FETCH_HEAD");
  return found.branch === undefined ? { sha } : { sha, branch: found.branch };
}

const QUIET = ["--quiet", "--no-tags", "--no-recurse-submodules"];

/** Asks the server; a branch wins over a tag of the same name. */
async function findRef(git: Git, ref: string | undefined): Promise<RemoteRef | undefined> {
  if (ref === undefined) return defaultBranch(git);
  const names = ref.startsWith("refs/") ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
  const listed = lines(await git.out(["ls-remote", "--quiet", "--refs", "origin", ...names])).map((line) => line[1]);
  const name = names.find((candidate) => listed.includes(candidate));
  if (name === undefined) return undefined;
  return name.startsWith("refs/heads/") ? { name, branch: name.slice("refs/heads/".length) } : { name };
}

async function defaultBranch(git: Git): Promise<RemoteRef> {
  const listed = lines(await git.out(["ls-remote", "--quiet", "--symref", "origin", "HEAD"]));
  if (listed.length === 0) throw unreachable(`The repository ${git.target.shown} has no commits`);
  const name = listed.find(([target, at]) => at === "HEAD" && target?.startsWith("ref: "))?.[0]?.slice("ref: ".length);
  return name?.startsWith("refs/heads/") ? { name, branch: name.slice("refs/heads/".length) } : { name: "HEAD" };
}

/** The way for commits that the server does not hand out by themselves, and for shortened ids: everything, then look. */
async function fetchAll(git: Git, ref: string): Promise<FetchedCommit> {
  const everything = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
  await git.out(["fetch", "--quiet", "--no-recurse-submodules", "origin", ...everything]);
  return { sha: await commitOf(git, ref) };
}

async function commitOf(git: Git, name: string): Promise<string> {
  const result = await git.attempt(["rev-parse", "--quiet", "--verify", "--end-of-options", `${name}^{commit}`]);
  if (result.code !== 0) throw noSuchRef(git);
  return result.stdout.trim();
}

function noSuchRef({ target }: Git) {
  return unreachable(`The repository ${target.shown} has no branch, tag or commit ${target.ref ?? "HEAD"}`);
}

function lines(output: string): string[][] {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
}
