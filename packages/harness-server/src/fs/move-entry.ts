import type { BigIntStats } from "node:fs";
import { type FileHandle, rename } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { type Conditions, checkEntry } from "./conditions.ts";
import { changed, copyEntry, type End } from "./copy-entry.ts";
import { at, lstatAt, sameVersion } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import { locked, lockKey } from "./path-locks.ts";
import { type ByteName, parsePath, quote, type RelPath } from "./rel-path.ts";
import { removeTree } from "./remove-entry.ts";
import type { Unfinished } from "./unfinished.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Moves a file or folder and makes the target's folders that are missing. What is at the target stays (NOT_EMPTY), unless
 * `overwrite` is set and both are regular files. The conditions are those of the source. Across file systems it is copied in full first, then put in place, then removed.
 */
export async function moveEntry(
  { jail, digests, unfinished }: Workspace,
  from: string,
  to: string,
  overwrite: boolean,
  conditions: Conditions,
): Promise<void> {
  const source = parsePath(from);
  const target = parsePath(to);
  if (source.names.length === 0 || target.names.length === 0) {
    throw new WireError("VALIDATION", "The root of the workspace cannot be moved or replaced");
  }
  if (source.names.every((name, index) => name === target.names[index])) {
    throw new WireError("VALIDATION", `${quote(source.shown)} cannot be moved to itself or into itself`);
  }
  const start = await jail.place(source);
  await using startDir = start.dir;
  await movable(startDir, start.name, source);
  await checkEntry(digests, startDir, start.name, source.shown, conditions);
  const end = await jail.place(target, true);
  await using endDir = end.dir;
  await locked([await lockKey(startDir, start.name), await lockKey(endDir, end.name)], async () => {
    const stat = await movable(startDir, start.name, source);
    await checkEntry(digests, startDir, start.name, source.shown, conditions);
    const there = await lstatAt(endDir, end.name);
    if (there?.isSymbolicLink()) throw new WireError("PATH_ESCAPE", `${quote(target.shown)} is a link`);
    if (there !== null && !(overwrite && there.isFile() && stat.isFile())) {
      const hint = overwrite ? "only a file can replace a file" : "set overwrite to replace a file";
      throw new WireError("NOT_EMPTY", `${quote(target.shown)} exists already, ${hint}`);
    }
    try {
      await rename(at(startDir, start.name), at(endDir, end.name));
    } catch (error) {
      if (!isErrno(error, "EXDEV")) throw error;
      const [from, to] = [
        { dir: startDir, name: start.name },
        { dir: endDir, name: end.name },
      ];
      await moveAcross({ from, to, stat, shown: source.shown }, unfinished);
    }
  });
}

async function movable(dir: FileHandle, name: ByteName, path: RelPath): Promise<BigIntStats> {
  const stat = await lstatAt(dir, name);
  if (stat === null) throw new WireError("NOT_FOUND", `${quote(path.shown)} does not exist`);
  if (stat.isSymbolicLink()) throw new WireError("PATH_ESCAPE", `${quote(path.shown)} is a link`);
  return stat;
}

interface Move {
  readonly from: End;
  readonly to: End;
  readonly stat: BigIntStats;
  readonly shown: string;
}

async function moveAcross({ from, to, stat, shown }: Move, unfinished: Unfinished): Promise<void> {
  const hidden = { dir: to.dir, name: await unfinished.begin(to.dir) };
  try {
    await copyEntry(from, hidden, shown);
    const now = await lstatAt(from.dir, from.name);
    if (now === null || !sameVersion(now, stat)) throw changed(shown);
    await rename(at(hidden.dir, hidden.name), at(to.dir, to.name));
  } catch (error) {
    await removeTree(hidden.dir, hidden.name, shown).catch(() => {});
    throw error;
  } finally {
    await unfinished.end(hidden.name);
  }
  await removeTree(from.dir, from.name, shown);
}
