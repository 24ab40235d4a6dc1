import type { ContainmentTier } from "../types.ts";

/** Code and signal of a process. */
export interface RawExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The place one child runs in. */
export interface Cell {
  /** What to start so that `command` runs inside. */
  readonly command: string;
  readonly args: readonly string[];
  /** Pid that signals go to, given the pid that was started; undefined while the engine is not there yet. */
  inner(pid: number): number | undefined;
  /** The engine's exit, given that of the process that was started. */
  exit(raw: RawExit): RawExit;
  /** After the exit: kills what is left inside. True when that surely was all. */
  clear(raw: RawExit): Promise<boolean>;
}

/** A tier that works on this machine. */
export interface Containment {
  readonly tier: ContainmentTier;
  /** Begin of the path of every cgroup made, for the watchdog. */
  readonly cgroupPrefix?: string;
  /** A new place for one child. `command` is an absolute path. May throw. */
  cell(command: string, args: readonly string[]): Cell;
}

/** The tier works, or the reason why not. */
export type Probed = { readonly containment: Containment } | { readonly reason: string };
