import type { Git } from "./client.ts";
import { isCommitId, isShortCommitId, refRefusal } from "./ref-name.ts";
import { unreachable } from "./unreachable.ts";

/** What the remote says that a target means. */
export interface ResolvedRef {
  /** Name to fetch by; undefined when the target names a commit id. */
  readonly name?: string;
  /** When the name is that of a branch. */
  readonly branch?: string;
  /** The whole commit id, unless only its beginning is known. */
  readonly sha?: string;
  /** The ref in the caller's words. */
  readonly ref?: string;
  readonly subdir?: string;
}

/** A page with more names than this has no ref of so many. */
const MAX_REF_NAMES = 16;

/**
 * Asks the remote what the target's ref means now; a branch wins over a tag of the same name, and of a page the longest ref
 * that exists. Whole commit ids are not asked for. Rejects with `WireError` SOURCE_UNREACHABLE that names the ref.
 */
export async function resolveRef(git: Git): Promise<ResolvedRef> {
  const { ref, subdir, page } = git.target;
  const within = subdir === undefined ? {} : { subdir };
  if (ref === undefined || ref === "HEAD") return { ...(await defaultBranch(git)), ...within };
  if (isCommitId(ref)) return { sha: ref, ref, ...within };
  const found = await findRef(git, page === undefined ? [ref] : beginnings(page));
  if (found && page !== undefined) {
    const { ref: chosen, ...rest } = found;
    const folder = page.slice(chosen.length + 1);
    return { ...rest, ref: chosen, ...(folder === "" ? {} : { subdir: folder }) };
  }
  if (found) return { ...found, ...within };
  if (isShortCommitId(ref)) return { ref, ...within };
  throw noSuchRef(git, page === undefined ? ref : page);
}

/** The error for a ref that the repository does not have. */
export function noSuchRef({ target }: Git, ref: string) {
  return unreachable(`The repository ${target.shown} has no branch, tag or commit ${ref}`);
}

/** `a/b/c`, `a/b`, `a`: what may be a ref, longest first. */
function beginnings(page: string): string[] {
  const names = page.split("/");
  return names
    .slice(0, MAX_REF_NAMES)
    .map((_, index) => names.slice(0, index + 1).join("/"))
    .filter((ref) => refRefusal(ref) === undefined)
    .reverse();
}

async function findRef(
  git: Git,
  refs: readonly string[],
): Promise<(ResolvedRef & { readonly ref: string }) | undefined> {
  const wanted = refs.flatMap((ref) =>
    ref.startsWith("refs/")
      ? [{ ref, name: ref }]
      : ["heads", "tags"].map((kind) => ({ ref, name: `refs/${kind}/${ref}` })),
  );
  const patterns = wanted.flatMap(({ name }) => [name, `${name}^{}`]);
  const listed = new Map((await listRemote(git, patterns)).map(([id = "", name = ""]) => [name, id]));
  for (const { ref, name } of wanted) {
    // An annotated tag is listed twice: itself, and with ^{} the commit that it names.
    const sha = listed.get(`${name}^{}`) ?? listed.get(name);
    if (sha !== undefined) return { ref, name, sha, ...branchOf(name) };
  }
  return undefined;
}

async function defaultBranch(git: Git): Promise<ResolvedRef> {
  const listed = await listRemote(git, ["HEAD"], ["--symref"]);
  const at = listed.filter(([, name]) => name === "HEAD").map(([value = ""]) => value);
  const sha = at.find((value) => !value.startsWith("ref: "));
  if (sha === undefined) {
    const [first] = await listRemote(git, ["refs/heads/*", "refs/tags/*"]);
    const what = first ? "has no commit at its default branch: name a branch, tag or commit" : "has no commits";
    throw unreachable(`The repository ${git.target.shown} ${what}`);
  }
  const name = at.find((value) => value.startsWith("ref: refs/heads/"))?.slice("ref: ".length) ?? "HEAD";
  return { name, sha, ...branchOf(name) };
}

function branchOf(name: string): { readonly branch?: string } {
  return name.startsWith("refs/heads/") ? { branch: name.slice("refs/heads/".length) } : {};
}

/** Rows of `git ls-remote`: id and name. */
async function listRemote(git: Git, patterns: readonly string[], options: readonly string[] = []): Promise<string[][]> {
  const output = await git.out(["ls-remote", "--quiet", ...options, "origin", ...patterns]);
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
}
