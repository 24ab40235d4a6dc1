import { readdirSync, readFileSync } from "node:fs";
import { type ProcessStat, readStat, type Target } from "./process-identity.ts";

/** Direct children of a process, oldest first, adopted ones included. */
export function childrenOf(pid: number): readonly number[] {
  const children: number[] = [];
  for (const task of list(`/proc/${pid}/task`)) {
    try {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, "latin1");
      for (const child of text.split(" ")) if (child !== "") children.push(Number(child));
    } catch {
      // the thread ended in between
    }
  }
  return children;
}

/** The live processes among `roots` and all that descends from them, parents before children. */
export function withDescendants(roots: readonly Target[]): readonly ProcessStat[] {
  const found = new Map<number, ProcessStat>();
  const queue: { readonly pid: number; readonly startTime?: string }[] = [...roots];
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (found.has(next.pid) || next.pid === process.pid) continue;
    const stat = readStat(next.pid);
    if (!stat || stat.dead || (next.startTime !== undefined && next.startTime !== stat.startTime)) continue;
    found.set(stat.pid, stat);
    for (const pid of childrenOf(stat.pid)) queue.push({ pid });
  }
  return [...found.values()];
}

/** A process and its descendants as they are now. */
export function captureTree(pid: number): readonly ProcessStat[] {
  const stat = readStat(pid);
  return stat ? withDescendants([stat]) : [];
}

function list(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
