import { readdir, rename, rm, stat } from "node:fs/promises";
import { readEntry } from "./entry.ts";
import { isLeftOver, writerName } from "./writer-name.ts";

/** How much a cache may hold. The entries unused for longest go first. */
export interface CacheLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Takes a folder out of the cache under one name, then deletes it: nobody ever finds half of it by that name. */
export async function removeEntry(cacheDir: string, name: string): Promise<void> {
  const trash = `${cacheDir}/${await writerName()}`;
  await rename(`${cacheDir}/${name}`, trash).catch(() => undefined);
  await rm(trash, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what dead writers left, then the oldest entries until the limits hold. */
export async function tidy(cacheDir: string, limits: CacheLimits): Promise<void> {
  const entries: { readonly name: string; readonly bytes: number; readonly usedAt: number }[] = [];
  for (const name of await readdir(cacheDir)) {
    if (await isLeftOver(name)) await removeEntry(cacheDir, name);
    if (!/^[0-9a-f]{64}$/.test(name)) continue;
    const folder = `${cacheDir}/${name}`;
    const [entry, stats] = await Promise.all([readEntry(folder), stat(folder).catch(() => undefined)]);
    if (stats) entries.push({ name, bytes: entry?.bytes ?? 0, usedAt: entry ? stats.mtimeMs : 0 });
  }
  entries.sort((a, b) => b.usedAt - a.usedAt);
  let bytes = 0;
  for (const [index, entry] of entries.entries()) {
    bytes += entry.bytes;
    if (index >= limits.maxEntries || bytes > limits.maxBytes) await removeEntry(cacheDir, entry.name);
  }
}
