import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { CHILD_VARIABLE } from "./markers.ts";
import { captureTree } from "./process-tree.ts";
import { reap } from "./reap.ts";
import { findTagged } from "./scan.ts";
import { LONGEST_TIMER_MS, settledWithin } from "./waiting.ts";

/** How long output is read on after the exit, should a process left in the background hold the pipes open. */
const DRAIN_MS = 500;

/** `maxOutputBytes` bounds stdout and stderr each. `input` goes to stdin, which is then closed. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  readonly input?: string;
}

/** How a command ended. `error`: it could not be started, or its processes could not be killed. */
export interface RunResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  readonly truncated: boolean;
  readonly error?: Error;
}

type Ending = Partial<Omit<RunResult, "stdout" | "stderr" | "truncated">>;

/**
 * Runs a short command to its end in a process group of its own; never rejects. At time-out or abort the whole tree is
 * killed, and is dead when this resolves. After a normal exit, what the command left in the background lives on.
 */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  const tag = `run.${randomUUID()}`;
  if (options.signal?.aborted) return result({ aborted: true });
  let child: ChildProcess;
  try {
    const env = { ...options.env, [CHILD_VARIABLE]: tag };
    child = spawn(command, args, { cwd: options.cwd, env, stdio: "pipe", detached: true });
  } catch (error) {
    return result({ error: toError(error) });
  }
  const stdout = collect(child.stdout, options.maxOutputBytes);
  const stderr = collect(child.stderr, options.maxOutputBytes);
  child.stdin?.on("error", () => {});
  child.stdin?.end(options.input ?? "");
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));

  const ending = await new Promise<Ending>((resolve) => {
    const killed = async (why: Ending): Promise<void> => {
      stopWaiting();
      try {
        await reap(() => findTagged(tag), child.pid === undefined ? [] : captureTree(child.pid));
        resolve({ ...why, signal: "SIGKILL" });
      } catch (error) {
        resolve({ ...why, error: toError(error) });
      }
    };
    const timer = setTimeout(() => void killed({ timedOut: true }), Math.min(options.timeoutMs, LONGEST_TIMER_MS));
    const abort = (): void => void killed({ aborted: true });
    const stopWaiting = (): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
      child.removeAllListeners("exit");
    };
    options.signal?.addEventListener("abort", abort, { once: true });
    child.once("exit", (code, signal) => {
      stopWaiting();
      resolve({ code, signal });
    });
    child.once("error", (error) => {
      stopWaiting();
      resolve({ error });
    });
  });
  if (!ending.error) await settledWithin(closed, DRAIN_MS);
  child.stdout?.destroy();
  child.stderr?.destroy();
  return result(ending, stdout(), stderr());
}

interface Collected {
  readonly text: string;
  readonly truncated: boolean;
}

/** Reads a stream to its end, keeps its first bytes, and gives what there is so far. */
function collect(stream: Readable | null, maxBytes: number): () => Collected {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  stream?.on("error", () => {});
  stream?.on("data", (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxBytes - size);
    truncated ||= kept.length < chunk.length;
    size += kept.length;
    if (kept.length > 0) chunks.push(kept);
  });
  return () => {
    const decoder = new StringDecoder("utf8");
    const text = decoder.write(Buffer.concat(chunks));
    // A character cut by the limit is left out; one that the command itself left unfinished shows as U+FFFD.
    return { text: truncated ? text : text + decoder.end(), truncated };
  };
}

function result(ending: Ending, stdout?: Collected, stderr?: Collected): RunResult {
  return {
    code: null,
    signal: null,
    timedOut: false,
    aborted: false,
    ...ending,
    stdout: stdout?.text ?? "",
    stderr: stderr?.text ?? "",
    truncated: (stdout?.truncated || stderr?.truncated) ?? false,
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
