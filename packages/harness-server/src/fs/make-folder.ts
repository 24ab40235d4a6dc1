import { mkdir } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { at, lstatAt } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import type { Jail } from "./jail.ts";
import { parsePath, quote } from "./rel-path.ts";

/** Makes a folder; with `recursive` also those above it, and one that exists is fine. Throws NOT_EMPTY when something is there. */
export async function makeFolder(jail: Jail, path: string, recursive: boolean): Promise<void> {
  const rel = parsePath(path);
  if (rel.names.length === 0) {
    if (recursive) return;
    throw new WireError("NOT_EMPTY", "The root of the workspace exists already");
  }
  const { dir, name } = await jail.place(rel, recursive);
  await using parent = dir;
  try {
    await mkdir(at(parent, name));
  } catch (error) {
    if (!isErrno(error, "EEXIST")) throw error;
    const there = await lstatAt(parent, name);
    if (there?.isSymbolicLink()) throw new WireError("PATH_ESCAPE", `${quote(rel.shown)} is a link`);
    if (recursive && there?.isDirectory()) return;
    throw new WireError("NOT_EMPTY", `${quote(rel.shown)} exists already`);
  }
}
