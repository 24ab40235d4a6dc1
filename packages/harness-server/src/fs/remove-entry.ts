import { type FileHandle, rename, rmdir, unlink } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { type Conditions, checkEntry } from "./conditions.ts";
import { at, dirAt, lstatAt, namesIn } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import { hiddenName } from "./hidden-name.ts";
import { locked, lockKey } from "./path-locks.ts";
import { type ByteName, parsePath, quote } from "./rel-path.ts";
import type { Workspace } from "./workspace.ts";

const BATCH = 64;
/** Folders nested deeper are moved up before they are emptied, so the number of open descriptors stays bounded. */
const MAX_DEPTH = 64;
const MAX_PASSES = 100;

/** Deletes a file or an empty folder, with `recursive` also a full one. Links are never followed, one named by the path is refused. */
export async function removeEntry(
  { jail, digests }: Workspace,
  path: string,
  recursive: boolean,
  conditions: Conditions,
): Promise<void> {
  const rel = parsePath(path);
  const { dir, name } = await jail.place(rel);
  await using parent = dir;
  await locked([await lockKey(parent, name)], async () => {
    const stat = await lstatAt(parent, name);
    if (stat === null) throw new WireError("NOT_FOUND", `${quote(rel.shown)} does not exist`);
    if (stat.isSymbolicLink()) throw new WireError("PATH_ESCAPE", `${quote(rel.shown)} is a link`);
    await checkEntry(digests, parent, name, rel.shown, conditions);
    if (!stat.isDirectory()) await unlink(at(parent, name));
    else if (recursive) await removeTree(parent, name, rel.shown);
    else await rmdir(at(parent, name));
  });
}

/** Deletes whatever is at `name`; a link goes, not its target. Nothing there is fine. */
export async function removeTree(dir: FileHandle, name: ByteName, shown: string): Promise<void> {
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    if (await unlinked(dir, name)) return;
    const top = await dirAt(dir, name);
    if (typeof top === "string") continue;
    await using folder = top;
    await empty(folder, folder, 0);
    if (await emptied(dir, name)) return;
  }
  throw new WireError("NOT_EMPTY", `${quote(shown)} is being filled by somebody else`);
}

async function empty(dir: FileHandle, top: FileHandle, depth: number): Promise<void> {
  let batch: ByteName[] = [];
  const flush = async () => {
    const names = batch;
    batch = [];
    const results = await Promise.allSettled(names.map((name) => unlinked(dir, name)));
    for (const [index, result] of results.entries()) {
      if (result.status === "rejected") throw result.reason;
      const name = names[index];
      if (!result.value && name !== undefined) await removeFolder(dir, name, top, depth);
    }
  };
  for await (const name of namesIn(dir)) {
    batch.push(name);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
}

async function removeFolder(dir: FileHandle, name: ByteName, top: FileHandle, depth: number): Promise<void> {
  if (depth >= MAX_DEPTH) return rename(at(dir, name), at(top, hiddenName()));
  const next = await dirAt(dir, name);
  if (typeof next === "string") return;
  await using folder = next;
  await empty(folder, top, depth + 1);
  await emptied(dir, name);
}

/** True when the name is gone, false when it is a folder. */
async function unlinked(dir: FileHandle, name: ByteName): Promise<boolean> {
  try {
    await unlink(at(dir, name));
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return true;
    if (isErrno(error, "EISDIR")) return false;
    throw error;
  }
}

/** True when the folder is gone, false when it got something new meanwhile. */
async function emptied(dir: FileHandle, name: ByteName): Promise<boolean> {
  try {
    await rmdir(at(dir, name));
    return true;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return true;
    if (isErrno(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return false;
    throw error;
  }
}
