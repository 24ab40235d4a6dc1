import type { Readable, Writable } from "node:stream";

/** How children are kept together: strongest first. */
export type ContainmentTier = "pid-namespace" | "cgroup" | "watchdog";

/** Result of trying one tier on this machine; `reason` says why it is not available. */
export interface TierProbe {
  readonly tier: ContainmentTier;
  readonly available: boolean;
  readonly reason?: string;
}

/** `hostId`: 1 to 64 characters of `A-Za-z0-9._-`. `runtimeDir`: working folder of the watchdog (default `/`). */
export interface SupervisorOptions {
  readonly hostId: string;
  readonly tier?: ContainmentTier | "auto";
  readonly runtimeDir?: string;
}

/** Starts, lists and ends the child processes of one host. Disposing stops all of them. */
export interface Supervisor extends AsyncDisposable {
  readonly hostId: string;
  /** The tier in use. */
  readonly tier: ContainmentTier;
  readonly tiers: readonly TierProbe[];
  /** Never throws: a failed start is told by `exited` (its `error`) and by the event `error`. */
  spawn(request: SpawnRequest): SupervisedChild;
  /** Kills at once all that belongs to the session; resolves when it is gone, rejects with {@link SurvivorsError}. */
  killSession(sessionId: string): Promise<void>;
  /** Children whose process has not ended yet. */
  children(sessionId?: string): readonly ChildInfo[];
}

/** Names in `env` that are no shell identifiers are dropped; `undefined` values too. Nothing is inherited. */
export interface SpawnRequest {
  readonly sessionId: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a child ended. `error` is set when it could not be started. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: Error;
}

/** Listener of the event `exit`. */
export type ExitListener = (code: number | null, signal: NodeJS.Signals | null) => void;
/** Listener of the event `error`. */
export type ErrorListener = (error: Error) => void;

/** Options of {@link SupervisedChild.stop}: `graceMs` (default 2000) bounds each of the polite steps. */
export interface StopOptions {
  readonly interrupt?: () => Promise<void>;
  readonly graceMs?: number;
}

/** A running child. When its process ends, all that it started is ended too. */
export interface SupervisedChild {
  /** Pid of the process that the host sees: the wrapper in the tier `pid-namespace`. */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the process has ended or could not be started; never rejects. */
  readonly exited: Promise<ChildExit>;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  /** True once a signal was sent. */
  readonly killed: boolean;
  /** Signals the engine itself, not its wrapper. False when there is nothing to signal. Default SIGTERM. */
  kill(signal?: NodeJS.Signals): boolean;
  /** Interrupt, end of stdin, SIGTERM, SIGKILL of the whole tree. Resolves when nothing is left, else rejects with {@link SurvivorsError}. */
  stop(options?: StopOptions): Promise<ChildExit>;
  on(event: "exit", listener: ExitListener): this;
  on(event: "error", listener: ErrorListener): this;
  once(event: "exit", listener: ExitListener): this;
  once(event: "error", listener: ErrorListener): this;
  off(event: "exit", listener: ExitListener): this;
  off(event: "error", listener: ErrorListener): this;
}

/** A line of {@link Supervisor.children}. `startedAt`: Unix milliseconds. */
export interface ChildInfo {
  readonly sessionId: string;
  readonly pid: number;
  readonly command: string;
  readonly startedAt: number;
}
