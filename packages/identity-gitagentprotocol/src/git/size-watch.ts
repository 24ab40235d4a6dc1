import { lstat, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** How often the folder is measured. */
const EVERY_MS = 200;

/** A signal that fires when a folder grows beyond a size. */
export interface SizeWatch extends AsyncDisposable {
  readonly signal: AbortSignal;
}

/** Measures `dir` now and then until disposed; nobody else can stop a server from sending too much. */
export function watchSize(dir: string, maxBytes: number): SizeWatch {
  const exceeded = new AbortController();
  const stopped = new AbortController();
  const watching = (async () => {
    while (!stopped.signal.aborted && !exceeded.signal.aborted) {
      const woken = await sleep(EVERY_MS, false, { signal: stopped.signal }).catch(() => true);
      if (!woken && (await sizeOf(dir)) > maxBytes) exceeded.abort();
    }
  })();
  return {
    signal: exceeded.signal,
    [Symbol.asyncDispose]: async () => {
      stopped.abort();
      await watching;
    },
  };
}

/** Bytes of all files below a folder; what vanishes meanwhile counts nothing. */
export async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
