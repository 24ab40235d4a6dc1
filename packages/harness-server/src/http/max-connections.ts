import { readFileSync } from "node:fs";

/** Descriptors that connections leave to sessions, files and engines. */
const RESERVE = 512;

/** How many connections a listener takes at once: what the process may open, less what the work needs; Infinity where that is not known. */
export function maxConnections(): number {
  const files = openFilesLimit();
  return files === undefined ? Number.POSITIVE_INFINITY : Math.max(files - RESERVE, Math.ceil(files / 2));
}

function openFilesLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
