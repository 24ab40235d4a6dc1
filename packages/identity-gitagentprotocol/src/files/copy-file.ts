import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { Budget } from "./budget.ts";
import type { NoticeSink } from "./copy-request.ts";
import { isGone, isUnreadable } from "./error-code.ts";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CHUNK = 1024 * 1024;
/** Files of /proc say that they are empty. */
const UNSIZED = 64 * 1024;

/**
 * Copies one regular file with its permission bits, minus setuid and the like. Never waits for a file that has nothing to
 * say, and counts what it really reads. False when the file is gone, is no longer a regular file, or may not be read.
 */
export async function copyFile(
  from: string,
  to: string,
  path: string,
  { budget, notices, signal }: { readonly budget: Budget; readonly notices: NoticeSink; readonly signal: AbortSignal },
): Promise<boolean> {
  try {
    await using file = await open(from, READ);
    const stats = await file.stat();
    if (!stats.isFile()) return false;
    budget.spend(stats.size);
    // Read before the copy exists: what cannot be read leaves nothing behind.
    const buffer = Buffer.allocUnsafe(Math.min(stats.size === 0 ? UNSIZED : stats.size + 1, CHUNK));
    const first = await file.read(buffer).then(
      ({ bytesRead }) => bytesRead,
      () => undefined,
    );
    // Files that are interfaces of drivers fail in every way there is.
    if (first === undefined) return unreadable(path, notices);
    const mode = (stats.mode & 0o777) | 0o400;
    await using copy = await open(to, CREATE, mode);
    await copyRest(file, copy, { buffer, first, expected: stats.size, budget, signal }).catch(
      async (error: unknown) => {
        await rm(to, { force: true });
        throw error;
      },
    );
    if (((await copy.stat()).mode & 0o7777) !== mode) await copy.chmod(mode);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    if (!isUnreadable(error)) throw error;
    return unreadable(path, notices);
  }
}

function unreadable(path: string, notices: NoticeSink): false {
  notices.add("warning", "gap.source.unreadable", path, "The file may not be read: it was not copied.");
  return false;
}

interface Rest {
  readonly buffer: Buffer;
  /** So many bytes of the buffer are read already. */
  readonly first: number;
  /** The size that is paid for. Files that grow, and those of /proc, hold more. */
  readonly expected: number;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

async function copyRest(file: FileHandle, copy: FileHandle, { buffer, first, expected, budget, signal }: Rest) {
  let copied = 0;
  for (let length = first; length > 0; ) {
    const extra = copied + length - Math.max(copied, expected);
    if (extra > 0) budget.grow(extra);
    await copy.writeFile(buffer.subarray(0, length));
    copied += length;
    signal.throwIfAborted();
    // A short read is the end of a file that has a size.
    if (copied === expected && length < buffer.length) return;
    length = (await file.read(buffer)).bytesRead;
  }
}
