import { readdir, readFile } from "node:fs/promises";
import { CHILD_VARIABLE, environValue } from "./markers.ts";
import { readStat, type Target } from "./process-identity.ts";

const PARALLEL_READS = 32;

/** A process whose environment carries a marker. */
export interface Marked extends Target {
  readonly value: string;
}

/**
 * All live processes (ours excepted) in whose start environment the variable has an accepted value.
 * Reads run off the main thread: `environ` of a process that hangs in the kernel can block its reader.
 */
export async function scanMarked(name: string, accept: (value: string) => boolean): Promise<readonly Marked[]> {
  const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found: Marked[] = [];
  const read = async (pid: number): Promise<string | undefined> => {
    const value = environValue(await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0)), name);
    return value !== undefined && accept(value) ? value : undefined;
  };
  const worker = async (): Promise<void> => {
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
      if (pid === process.pid || (await read(pid)) === undefined) continue;
      // Start time first, then the marker again: so the two belong together even when the pid was just reused.
      const stat = readStat(pid);
      const value = await read(pid);
      if (stat && !stat.dead && value !== undefined) found.push({ pid, startTime: stat.startTime, value });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_READS }, worker));
  return found.sort((a, b) => a.pid - b.pid);
}

/** Live processes that carry exactly this child tag, or, when it ends with ".", any tag that begins so. */
export function findTagged(tag: string): Promise<readonly Marked[]> {
  return scanMarked(CHILD_VARIABLE, (value) => (tag.endsWith(".") ? value.startsWith(tag) : value === tag));
}
