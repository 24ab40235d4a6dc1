import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Names a process for good: a pid alone is reused. `startTime`: clock ticks since boot, as the kernel prints them. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/** A process of this boot. */
export interface Target {
  readonly pid: number;
  readonly startTime: string;
}

/** What we read of `/proc/PID/stat`. */
export interface ProcessStat extends Target {
  readonly group: number;
  readonly dead: boolean;
}

/** State of a process now; undefined when there is none. A zombie is there, but `dead`. */
export function readStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  // The second field is the name in brackets, which may hold anything, brackets and spaces included.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, , group] = fields;
  const startTime = fields[19];
  if (state === undefined || group === undefined || startTime === undefined) return undefined;
  return { pid, startTime, group: Number(group), dead: state === "Z" || state === "X" || state === "x" };
}

/** The running process that `target` names; undefined when it ended, is a zombie, or its pid serves another one. */
export function liveStat(target: Target): ProcessStat | undefined {
  const stat = readStat(target.pid);
  return stat && !stat.dead && stat.startTime === target.startTime ? stat : undefined;
}

/** Identity of a running process; undefined when there is none (a zombie counts as none). */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const stat = readStat(pid);
  if (!stat || stat.dead) return undefined;
  return { pid, startTime: stat.startTime, bootId: await bootId() };
}

/** Whether that very process still runs. A zombie, a reused pid and another boot mean no. */
export async function isAlive(id: ProcessIdentity): Promise<boolean> {
  return id.bootId === (await bootId()) && liveStat(id) !== undefined;
}

let cachedBootId: Promise<string> | undefined;

function bootId(): Promise<string> {
  cachedBootId ??= readFile("/proc/sys/kernel/random/boot_id", "latin1").then((text) => text.trim());
  return cachedBootId;
}
