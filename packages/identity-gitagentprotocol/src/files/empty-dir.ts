import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes what is in a folder of ours, links unfollowed, and keeps the folder. Never rejects: it runs after failures. */
export async function emptyDir(dir: string): Promise<void> {
  const names = await readdir(dir).catch(() => []);
  await Promise.all(
    names.map((name) => rm(join(dir, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)),
  );
}
