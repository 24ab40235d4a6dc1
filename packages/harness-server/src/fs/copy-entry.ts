import { chmod, type FileHandle, mkdir, readlink, symlink, utimes } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import {
  at,
  chunksOf,
  createAt,
  dirAt,
  namesIn,
  openPinned,
  type Pinned,
  pinAt,
  sameVersion,
  self,
} from "./descriptors.ts";
import { type ByteName, quote } from "./rel-path.ts";
import { inherit } from "./staging.ts";

const MAX_DEPTH = 256;

/** One end of a copy: a name in a pinned folder. */
export interface End {
  readonly dir: FileHandle;
  readonly name: ByteName;
}

/**
 * Copies a file, link (as it is) or folder to a name that does not exist, with modes, owners and times, and syncs the files.
 * Throws NOT_A_FILE for FIFOs, sockets and devices; PRECONDITION_FAILED when a file changed meanwhile. May leave a part on failure.
 */
export async function copyEntry(from: End, to: End, shown: string, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH)
    throw new WireError("LIMIT_REACHED", `${quote(shown)} is nested deeper than ${MAX_DEPTH} folders`);
  const source = await pinAt(from.dir, from.name);
  await using _pin = source.pin;
  if (source.stat.isFile()) return await copyFile(source, to, shown);
  if (source.stat.isSymbolicLink()) {
    const text = await readlink(at(from.dir, from.name), { encoding: "latin1" });
    return await symlink(Buffer.from(text, "latin1"), at(to.dir, to.name));
  }
  if (source.stat.isDirectory()) return await copyFolder(source, to, shown, depth);
  throw new WireError("NOT_A_FILE", `${quote(shown)} is or contains something that is neither file, folder nor link`);
}

async function copyFile(source: Pinned, to: End, shown: string): Promise<void> {
  await using input = await openPinned(source.pin);
  await using output = await createAt(to.dir, to.name);
  for await (const chunk of chunksOf(input, Number(source.stat.size))) {
    for (let done = 0; done < chunk.length; ) done += (await output.write(chunk, done)).bytesWritten;
  }
  await inherit(output, source.stat);
  await output.utimes(Number(source.stat.atimeMs) / 1000, Number(source.stat.mtimeMs) / 1000);
  await output.sync();
  if (!sameVersion(source.stat, await input.stat({ bigint: true }))) {
    throw changed(shown);
  }
}

async function copyFolder(source: Pinned, to: End, shown: string, depth: number): Promise<void> {
  await mkdir(at(to.dir, to.name), 0o700);
  const made = await dirAt(to.dir, to.name);
  if (typeof made === "string") throw new WireError("NOT_FOUND", `${quote(shown)} was removed meanwhile`);
  await using folder = made;
  for await (const name of namesIn(source.pin)) {
    await copyEntry({ dir: source.pin, name }, { dir: folder, name }, shown, depth + 1);
  }
  await chmod(self(folder), Number(source.stat.mode) & 0o777);
  await utimes(self(folder), Number(source.stat.atimeMs) / 1000, Number(source.stat.mtimeMs) / 1000);
}

/** The error for something that changed between its copy and its deletion. */
export function changed(shown: string): WireError {
  return new WireError("PRECONDITION_FAILED", `${quote(shown)} changed while it was moved to another file system`);
}
