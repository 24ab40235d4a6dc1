import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { type Conditions, checkFile } from "./conditions.ts";
import type { Digests } from "./digests.ts";
import { locked, lockKey } from "./path-locks.ts";
import { type ByteName, parsePath } from "./rel-path.ts";
import { leafFile, type Source, stage, tooLarge } from "./staging.ts";
import type { Workspace } from "./workspace.ts";

/** Conditions of a write. `size` is the announced length in bytes. */
export interface WriteConditions extends Conditions {
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
  { jail, digests, unfinished, maxFileBytes: maxBytes }: Workspace,
  path: string,
  source: Source,
  conditions: WriteConditions,
): Promise<Written> {
  const rel = parsePath(path);
  if (rel.names.length === 0) throw new WireError("NOT_A_FILE", "The root of the workspace is a folder");
  if ((conditions.size ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const early = await jail.nearest(rel);
  await using folder = early.dir;
  if (early.missing.length > 0) await checkFile(digests, null, rel.shown, conditions);
  else await replaceable(digests, folder, early.name, rel.shown, conditions);

  await using staged = await stage(folder, source, maxBytes, unfinished);
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
    await checkFile(digests, leaf, shown, conditions);
    return leaf?.stat ?? null;
  } finally {
    await leaf?.pin.close();
  }
}
