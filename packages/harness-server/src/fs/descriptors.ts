import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, opendir } from "node:fs/promises";
import { isErrno } from "./fs-errors.ts";
import type { ByteName } from "./rel-path.ts";

/** Opens a place without opening what is there: no read permission needed, no device touched, no FIFO waited for. Linux. */
const O_PATH = 0o10000000;
const PIN = O_PATH | constants.O_NOFOLLOW;
const RETRIES = 8;
const CHUNK = 256 * 1024;

/**
 * The path of `name` inside the folder that `dir` holds. The kernel resolves it from the descriptor, so no parent can be swapped.
 * `dir` must stay open until every call that uses the path has settled: await them all before it is closed.
 */
export function at(dir: FileHandle, name: ByteName): Buffer {
  if (dir.fd < 0) throw new Error("The folder is closed already");
  return Buffer.from(`/proc/self/fd/${dir.fd}/${name}`, "latin1");
}

/** The path of exactly the thing that `handle` holds. */
export function self(handle: FileHandle): string {
  return `/proc/self/fd/${handle.fd}`;
}

/** A pinned file, folder or link and its state. The pin is for `stat`, `self` and as a `dir`, not for reading. Whoever gets it closes it. */
export interface Pinned {
  readonly pin: FileHandle;
  readonly stat: BigIntStats;
}

/** Pins whatever is at `name`, a link itself included. Throws ENOENT. */
export async function pinAt(dir: FileHandle, name: ByteName): Promise<Pinned> {
  const pin = await open(at(dir, name), PIN);
  try {
    return { pin, stat: await pin.stat({ bigint: true }) };
  } catch (error) {
    await pin.close();
    throw error;
  }
}

/** Pins a folder by its absolute path. */
export function pinDir(path: string): Promise<FileHandle> {
  return open(path, PIN | constants.O_DIRECTORY);
}

/** Opens a pinned regular file for reading. */
export function openPinned(pin: FileHandle): Promise<FileHandle> {
  return open(self(pin), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
}

/** Makes a new file for writing, readable by its owner alone; throws EEXIST for anything that is there, a link included. */
export function createAt(dir: FileHandle, name: ByteName): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return open(at(dir, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
}

/** What is at `name`, a link itself included; null when nothing is. */
export async function lstatAt(dir: FileHandle, name: ByteName): Promise<BigIntStats | null> {
  try {
    return await lstat(at(dir, name), { bigint: true });
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
}

/** Pins the folder at `name`, or says why there is none. */
export async function dirAt(dir: FileHandle, name: ByteName): Promise<FileHandle | "missing" | "link" | "other"> {
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    try {
      return await open(at(dir, name), PIN | constants.O_DIRECTORY);
    } catch (error) {
      if (isErrno(error, "ENOENT")) return "missing";
      if (!isErrno(error, "ENOTDIR", "ELOOP")) throw error;
    }
    const stat = await lstatAt(dir, name);
    if (stat === null) return "missing";
    if (stat.isSymbolicLink()) return "link";
    if (!stat.isDirectory()) return "other";
  }
  return "link";
}

/** The names in a pinned folder, in the order of the file system, without "." and "..". */
export async function* namesIn(dir: FileHandle): AsyncGenerator<ByteName> {
  for await (const entry of await opendir(self(dir), { encoding: "latin1", bufferSize: 512 })) yield entry.name;
}

/** True when both describe the same version of the same file. */
export function sameVersion(a: BigIntStats, b: BigIntStats): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** Reads the first `size` bytes in chunks of bounded size, fewer when the file is shorter. A chunk is good until the next. */
export async function* chunksOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, size));
  for (let position = 0; position < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The first `size` bytes in memory, fewer when the file is shorter. */
export async function readStart(file: FileHandle, size: number): Promise<Buffer<ArrayBuffer>> {
  const buffer = Buffer.allocUnsafeSlow(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await file.read(buffer, done, size - done, done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return buffer.subarray(0, done);
}
