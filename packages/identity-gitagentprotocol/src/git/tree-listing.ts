import { Budget } from "../files/budget.ts";
import type { Git } from "./client.ts";
import { unreachable } from "./unreachable.ts";

/** One file of a commit. Submodules have mode 160000 and no content here. */
interface TreeEntry {
  readonly mode: string;
  readonly id: string;
  readonly path: string;
}

/** What a check-out would write. */
export interface TreeListing {
  /** Paths of submodules: folders that stay empty. */
  readonly submodules: readonly string[];
}

/**
 * Lists the files of a commit (of its folder `subdir`, if given), fetches contents that are still missing, and
 * throws `LimitExceeded` before anything is written that is too much.
 */
export async function listTree(git: Git, sha: string, subdir?: string): Promise<TreeListing> {
  const { shown } = git.target;
  const scope = subdir === undefined ? [] : ["--", subdir];
  const entries = parseTree(await git.out(["ls-tree", "-r", "-z", "--full-tree", sha, ...scope]));
  if (subdir === undefined && entries.length === 0) throw unreachable(`The repository ${shown} holds no files`);
  if (subdir !== undefined && entries.length === 0) throw unreachable(`${shown} has no folder ${subdir}`);
  if (entries.some(({ path }) => path === subdir)) throw unreachable(`In ${shown}, ${subdir} is not a folder`);
  const contents = entries.filter(({ mode }) => mode !== SUBMODULE);
  const count = new Budget(git.limits);
  for (const _ of contents) count.spend(0);
  let sizes = await localSizes(git);
  const missing = [...new Set(contents.map(({ id }) => id).filter((id) => !sizes.has(id)))];
  if (missing.length > 0) {
    await git.out([...FETCH_OBJECTS, "origin"], `${missing.join("\n")}\n`);
    sizes = await localSizes(git);
  }
  const budget = new Budget(git.limits);
  for (const { id } of contents) budget.spend(sizes.get(id) ?? 0);
  return { submodules: entries.filter(({ mode }) => mode === SUBMODULE).map(({ path }) => path) };
}

const SUBMODULE = "160000";
const FETCH_OBJECTS = [
  "-c",
  "fetch.negotiationAlgorithm=noop",
  "fetch",
  "--quiet",
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--filter=blob:none",
  "--stdin",
];

/** Size of each object that is here. Looks at nothing else, so that nothing is fetched one by one. */
async function localSizes(git: Git): Promise<Map<string, number>> {
  const format = "--batch-check=%(objectname) %(objectsize)";
  const listing = await git.out(["cat-file", "--batch-all-objects", "--unordered", format]);
  return new Map(
    listing.split("\n").flatMap((line): [string, number][] => {
      const [id, size] = line.split(" ");
      return id && size ? [[id, Number(size)]] : [];
    }),
  );
}

/** Reads the output of `git ls-tree -z`. */
export function parseTree(output: string): TreeEntry[] {
  return output.split("\0").flatMap((record): TreeEntry[] => {
    const tab = record.indexOf("\t");
    const [mode, , id] = record.slice(0, tab).split(" ");
    return tab !== -1 && mode && id ? [{ mode, id, path: record.slice(tab + 1) }] : [];
  });
}
