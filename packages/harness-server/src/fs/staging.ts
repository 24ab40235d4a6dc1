import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { type FileHandle, rename, unlink } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { BlockWriter } from "./block-writer.ts";
import { at, createAt, type Pinned, pinAt } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import { type ByteName, quote } from "./rel-path.ts";
import type { Unfinished } from "./unfinished.ts";

const NEW_MODE = 0o644;

/** Content on its way into a file. */
export type Source = AsyncIterable<Uint8Array> | Uint8Array;

/** Complete content on the disk under a hidden name; disposing removes it unless `commit` has put it in its place. */
export interface Staged extends AsyncDisposable {
  /** SHA-256 in hex. */
  readonly sha: string;
  readonly size: number;
  /** Takes mode and owner from the file it is to replace; null = a new file. */
  adopt(replaced: BigIntStats | null): Promise<void>;
  /** Renames it to `name` in `dir`, over what is there. */
  commit(dir: FileHandle, name: ByteName): Promise<void>;
}

/** Writes a source under a hidden name in `dir` and syncs it. On any failure nothing is left. `dir` must outlive the result. */
export async function stage(
  dir: FileHandle,
  source: Source,
  maxBytes: number,
  unfinished: Unfinished,
): Promise<Staged> {
  const hidden = await unfinished.begin(dir);
  const file = await createAt(dir, hidden).catch(async (error) => {
    await unfinished.end(hidden);
    throw error;
  });
  let there = true;
  const dispose = async () => {
    await file.close().catch(() => {});
    if (there) await unlink(at(dir, hidden)).catch(ignoreMissing);
    there = false;
    await unfinished.end(hidden);
  };
  try {
    const written = await copyIn(file, source, maxBytes);
    await file.sync();
    return {
      ...written,
      adopt: (replaced) => inherit(file, replaced),
      commit: async (target, name) => {
        await rename(at(dir, hidden), at(target, name));
        there = false;
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Gives a new file the permission bits and, where allowed, the owner of the one it stands for. Set-id bits are dropped. */
export async function inherit(file: FileHandle, from: BigIntStats | null): Promise<void> {
  if (from !== null && (Number(from.uid) !== process.geteuid?.() || Number(from.gid) !== process.getegid?.())) {
    await file.chown(Number(from.uid), Number(from.gid)).catch((error) => {
      if (!isErrno(error, "EPERM", "EINVAL")) throw error;
    });
  }
  await file.chmod(from === null ? NEW_MODE : Number(from.mode) & 0o777).catch((error) => {
    if (!isErrno(error, "EPERM", "ENOTSUP")) throw error;
  });
}

/** Pins the regular file at a leaf; null when nothing is there. Throws PATH_ESCAPE for a link, NOT_A_FILE for anything else. */
export async function leafFile(dir: FileHandle, name: ByteName, shown: string): Promise<Pinned | null> {
  let leaf: Pinned;
  try {
    leaf = await pinAt(dir, name);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return null;
    throw error;
  }
  if (leaf.stat.isFile()) return leaf;
  await leaf.pin.close();
  if (leaf.stat.isSymbolicLink()) throw new WireError("PATH_ESCAPE", `${quote(shown)} is a link`);
  throw new WireError("NOT_A_FILE", `${quote(shown)} is not a regular file`);
}

async function copyIn(file: FileHandle, source: Source, maxBytes: number): Promise<{ sha: string; size: number }> {
  const hash = createHash("sha256");
  const writer = new BlockWriter(file);
  let size = 0;
  for await (const chunk of source instanceof Uint8Array ? [source] : received(source)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    await writer.write(chunk);
  }
  await writer.end();
  return { sha: hash.digest("hex"), size };
}

/** An error of the source is the sender's: it went away or broke its body. */
async function* received(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    if (WireError.isInstance(error)) throw error;
    throw new WireError("VALIDATION", "The body ended before it was complete", { cause: error });
  }
}

/** The error for content above the limit. */
export function tooLarge(maxBytes: number): WireError {
  return new WireError("PAYLOAD_TOO_LARGE", `A file may have at most ${maxBytes} bytes`);
}

function ignoreMissing(error: unknown): void {
  if (!isErrno(error, "ENOENT")) throw error;
}
