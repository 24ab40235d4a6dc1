import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { openPinned, type Pinned } from "./descriptors.ts";
import type { Digests } from "./digests.ts";
import type { Jail } from "./jail.ts";
import { locked, lockKey } from "./path-locks.ts";
import { ifMatchHolds, ifNoneMatchHolds } from "./preconditions.ts";
import { type ByteName, parsePath, quote } from "./rel-path.ts";
import { leafFile, type Source, stage, tooLarge } from "./staging.ts";

/** Conditions of a write, as the HTTP headers of the same names. `size` is the announced length in bytes. */
export interface WriteConditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly size?: number | undefined;
}

/** What a write answers: SHA-256 in hex and length in bytes. */
export interface Written {
  readonly sha: string;
  readonly size: number;
}

/**
 * Replaces a file in one step and makes the folders that are missing. Everything is checked before the content is read
 * and again, on a fresh walk from the root, right before the rename; what arrives meanwhile waits under a hidden name
 * in the deepest folder that existed at the start. A failed write leaves nothing.
 */
export async function writeFile(
  jail: Jail,
  digests: Digests,
  maxBytes: number,
  path: string,
  source: Source,
  conditions: WriteConditions,
): Promise<Written> {
  const rel = parsePath(path);
  if (rel.names.length === 0) throw new WireError("NOT_A_FILE", "The root of the workspace is a folder");
  if ((conditions.size ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const early = await jail.nearest(rel);
  await using folder = early.dir;
  if (early.missing.length > 0) await check(digests, null, rel.shown, conditions);
  else await replaceable(digests, folder, early.name, rel.shown, conditions);

  await using staged = await stage(folder, source, maxBytes);
  if (conditions.size !== undefined && staged.size !== conditions.size) {
    throw new WireError("VALIDATION", `The body has ${staged.size} bytes instead of ${conditions.size}`);
  }
  const { dir, name } = await jail.place(rel, true);
  await using parent = dir;
  await locked([await lockKey(parent, name)], async () => {
    await staged.adopt(await replaceable(digests, parent, name, rel.shown, {}));
    await replaceable(digests, parent, name, rel.shown, conditions);
    await staged.commit(parent, name);
  });
  return { sha: staged.sha, size: staged.size };
}

/** The state of the file that a write would replace, once its conditions hold. */
async function replaceable(
  digests: Digests,
  dir: FileHandle,
  name: ByteName,
  shown: string,
  conditions: WriteConditions,
): Promise<BigIntStats | null> {
  const leaf = await leafFile(dir, name, shown);
  try {
    await check(digests, leaf, shown, conditions);
    return leaf?.stat ?? null;
  } finally {
    await leaf?.pin.close();
  }
}

async function check(digests: Digests, leaf: Pinned | null, shown: string, conditions: WriteConditions): Promise<void> {
  const { ifMatch, ifNoneMatch } = conditions;
  const has = leaf === null ? null : (tag: string) => hasTag(digests, leaf, tag);
  if (ifMatch !== undefined && !(await ifMatchHolds(ifMatch, has))) {
    throw new WireError("PRECONDITION_FAILED", `${quote(shown)} is not what If-Match names`);
  }
  if (ifNoneMatch !== undefined && !(await ifNoneMatchHolds(ifNoneMatch, has))) {
    throw new WireError("PRECONDITION_FAILED", `${quote(shown)} exists or is what If-None-Match names`);
  }
}

async function hasTag(digests: Digests, leaf: Pinned, tag: string): Promise<boolean> {
  await using file = await openPinned(leaf.pin);
  return await digests.has(tag, file, leaf.stat);
}
