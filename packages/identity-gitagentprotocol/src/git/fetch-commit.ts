import { rm } from "node:fs/promises";
import type { Git } from "./client.ts";
import { gitFailure, isUnknownRef } from "./failures.ts";
import { noSuchRef, type ResolvedRef } from "./resolve-ref.ts";
import { unreachable } from "./unreachable.ts";

const SHA256_LENGTH = 64;
const QUIET = ["--quiet", "--no-tags", "--no-recurse-submodules"];

/** Makes an empty repository in git's folder, with the target as its remote `origin`. */
export async function openRepository(git: Git): Promise<void> {
  await initialise(git, git.target.ref?.length === SHA256_LENGTH ? "sha256" : "sha1");
}

/**
 * Fetches a resolved ref without history into an open repository; `filtered` leaves the file contents on the server, where it
 * can. Resolves with the commit id, or rejects with `WireError` SOURCE_UNREACHABLE.
 */
export async function fetchCommit(
  git: Git,
  resolved: ResolvedRef,
  { filtered }: { readonly filtered: boolean },
): Promise<string> {
  const options = ["--depth=1", ...(filtered ? ["--filter=blob:none"] : [])];
  const { name, branch, sha, ref = "HEAD" } = resolved;
  if (name !== undefined) {
    if (sha?.length === SHA256_LENGTH) await initialise(git, "sha256");
    const keepAs = branch === undefined ? name : `refs/remotes/origin/${branch}`;
    await git.out(["fetch", ...QUIET, ...options, "origin", `+${name}:${keepAs}`]);
    return commitOf(git, "FETCH_HEAD", ref);
  }
  if (sha === undefined) return fetchAll(git, ref);
  const direct = await git.attempt(["fetch", ...QUIET, ...options, "origin", sha]);
  if (direct.code === 0) return commitOf(git, "FETCH_HEAD", ref);
  if (!isUnknownRef(direct)) throw gitFailure(git.target.shown, direct);
  return fetchAll(git, ref);
}

/** The way for commits that the server does not hand out by themselves, and for shortened ids: everything, then look. */
async function fetchAll(git: Git, ref: string): Promise<string> {
  const everything = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"];
  const arguments_ = ["fetch", "--quiet", "--no-recurse-submodules", "origin", ...everything];
  const first = await git.attempt(arguments_);
  if (first.code === 0) return commitOf(git, ref, ref);
  if (!/mismatched algorithms/i.test(first.stderr)) throw gitFailure(git.target.shown, first);
  await initialise(git, "sha256");
  await git.out(arguments_);
  return commitOf(git, ref, ref);
}

/** A repository knows one kind of object ids; only the remote tells which. */
async function initialise(git: Git, format: "sha1" | "sha256"): Promise<void> {
  await rm(`${git.dir}/.git`, { recursive: true, force: true });
  await git.out(["init", "--quiet", "--template=", `--object-format=${format}`, "."]);
  await git.out(["remote", "add", "origin", git.target.url]);
}

async function commitOf(git: Git, name: string, ref: string): Promise<string> {
  const result = await git.attempt(["rev-parse", "--quiet", "--verify", "--end-of-options", `${name}^{commit}`]);
  if (result.code !== 0 && name === "FETCH_HEAD") {
    throw unreachable(`In the repository ${git.target.shown}, ${ref} names something else than a commit`);
  }
  if (result.code !== 0) throw noSuchRef(git, ref);
  return result.stdout.trim();
}
