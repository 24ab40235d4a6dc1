import type { FileHandle } from "node:fs/promises";
import type { ByteName } from "./rel-path.ts";

const tails = new Map<string, Promise<void>>();

/** The name of a leaf for `locked`: the identity of its folder on disk, so two workspaces over one folder share it. */
export async function lockKey(dir: FileHandle, name: ByteName): Promise<string> {
  const { dev, ino } = await dir.stat({ bigint: true });
  return `${dev}:${ino}/${name}`;
}

/** Runs `work` while no other call in this process runs with one of these keys. Not reentrant. */
export async function locked<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...new Set(keys)].sort();
  if (first === undefined) return work();
  const run = (tails.get(first) ?? Promise.resolve()).then(() => locked(rest, work));
  const tail = run.then(
    () => {},
    () => {},
  );
  tails.set(first, tail);
  try {
    return await run;
  } finally {
    if (tails.get(first) === tail) tails.delete(first);
  }
}
