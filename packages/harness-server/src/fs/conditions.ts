import type { FileHandle } from "node:fs/promises";
import { WireError } from "@computeragent/protocol";
import { lstatAt, openPinned, type Pinned } from "./descriptors.ts";
import type { Digests } from "./digests.ts";
import { type HasTag, ifMatchHolds, ifNoneMatchHolds } from "./preconditions.ts";
import { type ByteName, quote } from "./rel-path.ts";
import { leafFile } from "./staging.ts";

/** Conditions of a change, as the HTTP headers of the same names. */
export interface Conditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/** Throws PRECONDITION_FAILED unless the conditions hold for a file (null = there is none). */
export async function checkFile(
  digests: Digests,
  leaf: Pinned | null,
  shown: string,
  conditions: Conditions,
): Promise<void> {
  await check(leaf === null ? null : (tag) => hasTag(digests, leaf, tag), shown, conditions);
}

/** As `checkFile` for whatever is at `name`. Only files have tags: a folder is named by `*` alone. */
export async function checkEntry(
  digests: Digests,
  dir: FileHandle,
  name: ByteName,
  shown: string,
  conditions: Conditions,
): Promise<void> {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return;
  if ((await lstatAt(dir, name))?.isDirectory()) return await check(async () => false, shown, conditions);
  const leaf = await leafFile(dir, name, shown);
  try {
    await checkFile(digests, leaf, shown, conditions);
  } finally {
    await leaf?.pin.close();
  }
}

async function check(has: HasTag | null, shown: string, { ifMatch, ifNoneMatch }: Conditions): Promise<void> {
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
