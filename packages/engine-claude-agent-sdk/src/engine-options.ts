import type { Supervisor } from "@computeragent/supervisor";

/** The part of a logger that the engine uses; pino's shape. */
export interface EngineLogger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What the operator sets. */
export interface ClaudeEngineOptions {
  /** Starts and ends every process of the engine. */
  readonly supervisor: Supervisor;
  /** Path of the Claude Code executable; default: the one that comes with the SDK. */
  readonly executable?: string;
  /** How often the CLI repeats a failed model call before the turn fails. Default 5, about 15 seconds. */
  readonly maxRetries?: number;
  /** Milliseconds until a started CLI must have answered. Default 30 000. */
  readonly startTimeoutMs?: number;
  /**
   * Bytes of the largest message that a CLI may send, by default 32 MiB: no model takes a larger request. A larger one ends
   * the turn and the process; the next turn starts it again.
   */
  readonly maxMessageBytes?: number;
  /**
   * Keeps one process parked for the next session of the same kind, for five minutes at most: about 0.6 s less to its first
   * answer for about 250 MB. Default false.
   */
  readonly warmPool?: boolean;
  /** A short private folder for what a parked process needs. Default: a new one under the system's temporary folder. */
  readonly runtimeDir?: string;
  readonly logger?: EngineLogger;
}

/** The options with defaults filled in. */
export type ResolvedEngineOptions = ClaudeEngineOptions &
  Required<Pick<ClaudeEngineOptions, "maxRetries" | "startTimeoutMs" | "maxMessageBytes">>;
