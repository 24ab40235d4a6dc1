import { type FileHandle, readlink } from "node:fs/promises";
import { type Tree, type TreeEntry, type TreeQuery, WireError } from "@computeragent/protocol";
import type { z } from "zod";
import { at, dirAt, lstatAt, namesIn } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import { isHiddenName } from "./hidden-name.ts";
import type { Jail } from "./jail.ts";
import { type ByteName, MAX_PATH_BYTES, parsePath, quote, toBytes, toText } from "./rel-path.ts";
import { decodeCursor, encodeCursor } from "./tree-cursor.ts";

const DEFAULT_LIMIT = 1000;
const BATCH = 64;

interface Listing {
  /** Bytes of the listed folder's path, with a slash at the end unless it is the root. */
  readonly prefix: ByteName;
  readonly want: number;
  readonly found: { readonly names: readonly ByteName[]; readonly entry: TreeEntry }[];
}

/**
 * Lists a folder depth-first, the names of each folder sorted by bytes, one page at a time: a cursor names the last entry, so
 * what comes and goes between pages disturbs nothing else. Links are listed, not followed; what cannot be read or vanishes is
 * skipped, and so is what is not finished yet. Bytes of a name that are not UTF-8 are shown as U+FFFD; such a folder is not descended into, nor is what no path reaches.
 */
export async function listTree(jail: Jail, maxEntries: number, query: z.infer<typeof TreeQuery>): Promise<Tree> {
  const rel = parsePath(query.path ?? "");
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, maxEntries);
  const after = query.cursor === undefined ? [] : decodeCursor(query.cursor);
  const { pin, stat } = await jail.find(rel);
  await using top = pin;
  if (!stat.isDirectory()) throw new WireError("NOT_FOUND", `${quote(rel.shown)} is not a folder`);
  const listing = { prefix: toBytes(rel.shown === "" ? "" : `${rel.shown}/`), want: limit + 1, found: [] };
  await list(listing, top, [], query.depth ?? 1, after);
  return page(listing, limit);
}

function page({ found }: Listing, limit: number): Tree {
  const entries = found.slice(0, limit).map(({ entry }) => entry);
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { entries, nextCursor: last === undefined ? null : encodeCursor(last.names) };
}

async function list(
  listing: Listing,
  dir: FileHandle,
  above: readonly ByteName[],
  depth: number,
  after: readonly ByteName[],
): Promise<void> {
  const [resume, ...rest] = after;
  const names = await smallest(dir, listing.want - listing.found.length, resume);
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH);
    const entries = await Promise.all(batch.map((name) => describe(listing.prefix, dir, above, name)));
    for (const [index, name] of batch.entries()) {
      const entry = entries[index];
      if (!entry) continue;
      const path = [...above, name];
      if (name !== resume) listing.found.push({ names: path, entry });
      if (listing.found.length >= listing.want) return;
      if (depth <= 1 || entry.type !== "dir" || toBytes(toText(name)) !== name) continue;
      const child = await dirAt(dir, name).catch(() => "other" as const);
      if (typeof child === "string") continue;
      await using folder = child;
      try {
        await list(listing, folder, path, depth - 1, name === resume ? rest : []);
      } catch (error) {
        if (!isErrno(error, "EACCES", "EPERM", "ENOENT", "ENOTDIR", "ESTALE")) throw error;
      }
      if (listing.found.length >= listing.want) return;
    }
  }
}

/** The first names of a folder from `resume` on, and as many as are wanted beside `resume` itself; memory stays bounded. */
async function smallest(dir: FileHandle, want: number, resume: ByteName | undefined): Promise<ByteName[]> {
  const keep = want + 1;
  let names: ByteName[] = [];
  for await (const name of namesIn(dir)) {
    if ((resume !== undefined && name < resume) || isHiddenName(name)) continue;
    names.push(name);
    if (names.length >= keep * 2 + 1024) names = names.sort().slice(0, keep);
  }
  return names.sort().slice(0, keep);
}

/** Null when the entry vanished or no path can reach it. */
async function describe(
  prefix: ByteName,
  dir: FileHandle,
  above: readonly ByteName[],
  name: ByteName,
): Promise<TreeEntry | null> {
  const bytes = prefix + [...above, name].join("/");
  if (bytes.length > MAX_PATH_BYTES) return null;
  const path = toText(bytes);
  try {
    const stat = await lstatAt(dir, name);
    if (stat === null) return null;
    const common = { path, size: Number(stat.size), mtime: Number(stat.mtimeMs), mode: Number(stat.mode) & 0o7777 };
    if (stat.isFile()) return { ...common, type: "file" };
    if (stat.isDirectory()) return { ...common, type: "dir" };
    if (!stat.isSymbolicLink()) return { ...common, type: "other" };
    const target = await readlink(at(dir, name), { encoding: "latin1" }).catch(() => null);
    return target === null ? { ...common, type: "symlink" } : { ...common, type: "symlink", target: toText(target) };
  } catch {
    return { path, type: "other", size: 0, mtime: 0, mode: 0 };
  }
}
