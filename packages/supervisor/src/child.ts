import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import type { Target } from "./process-identity.ts";
import { captureTree } from "./process-tree.ts";
import { reap, trySignal } from "./reap.ts";
import { findTagged } from "./scan.ts";
import type { Cell } from "./tiers/containment.ts";
import type { ChildExit, StopOptions, SupervisedChild } from "./types.ts";
import { settledWithin } from "./waiting.ts";

const DEFAULT_GRACE_MS = 2_000;
const ENDING: ReadonlySet<NodeJS.Signals> = new Set(["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL"]);

interface ChildEvents {
  exit: [code: number | null, signal: NodeJS.Signals | null];
  error: [error: Error];
}

/** A process that was started, with the place it runs in, or the reason why there is none. */
export type Started =
  | { readonly process: ChildProcess; readonly cell: Cell; readonly tag: string }
  | { readonly error: Error };

/** The only implementation of {@link SupervisedChild}. */
export class ManagedChild extends EventEmitter<ChildEvents> implements SupervisedChild {
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  /** Settles when nothing of the child is left; rejects with SurvivorsError. */
  readonly gone: Promise<void>;
  readonly #started: Started;
  readonly #captured = new Map<number, Target>();
  #exit: ChildExit | undefined;
  #killed = false;
  #stopping: Promise<ChildExit> | undefined;

  constructor(started: Started) {
    super();
    this.#started = started;
    const child = "process" in started ? started.process : undefined;
    this.pid = child?.pid;
    this.stdin = child?.stdin ?? new PassThrough().destroy();
    this.stdout = child?.stdout ?? new PassThrough().end();
    this.stderr = child?.stderr ?? new PassThrough().end();
    // An engine that is gone makes writes fail with EPIPE; its exit tells what there is to tell.
    for (const stream of [this.stdin, this.stdout, this.stderr]) stream.on("error", () => {});
    this.on("error", () => {});
    this.exited = new Promise((resolve) => this.#watch(started, resolve));
    this.gone = this.exited.then((exit) => this.#clear(exit));
    this.gone.catch(() => {});
  }

  get exitCode(): number | null {
    return this.#exit?.code ?? null;
  }

  get signalCode(): NodeJS.Signals | null {
    return this.#exit?.signal ?? null;
  }

  get killed(): boolean {
    return this.#killed;
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): boolean {
    if (!("process" in this.#started) || this.pid === undefined || this.#exit) return false;
    if (signal === "SIGKILL") return this.#killHard(this.pid);
    const inner = this.#started.cell.inner(this.pid);
    // Without an engine there is nobody who could end politely, and the wrapper would ignore it.
    if (inner === undefined) return ENDING.has(signal) && this.#killHard(this.pid);
    if (!trySignal(inner, signal)) return false;
    this.#killed = true;
    return true;
  }

  stop(options: StopOptions = {}): Promise<ChildExit> {
    this.#stopping ??= this.#stop(options);
    return this.#stopping;
  }

  async #stop({ interrupt, graceMs = DEFAULT_GRACE_MS }: StopOptions): Promise<ChildExit> {
    this.#capture();
    if (interrupt && !this.#exit) await settledWithin(Promise.race([attempt(interrupt), this.exited]), graceMs);
    this.stdin.end();
    if (!this.#exit && !(await settledWithin(this.exited, graceMs))) {
      this.#capture();
      this.kill("SIGTERM");
      if (!(await settledWithin(this.exited, graceMs))) this.kill("SIGKILL");
    }
    const exit = await this.exited;
    await this.gone;
    return exit;
  }

  #killHard(pid: number): boolean {
    this.#capture();
    this.#killed = true;
    return trySignal(pid, "SIGKILL");
  }

  #capture(): void {
    if (this.pid === undefined || this.#exit) return;
    for (const target of captureTree(this.pid)) this.#captured.set(target.pid, target);
  }

  #watch(started: Started, resolve: (exit: ChildExit) => void): void {
    const fail = (error: Error): void => {
      if (this.#exit) return;
      this.#exit = { code: null, signal: null, error };
      resolve(this.#exit);
      this.emit("error", error);
    };
    if ("error" in started) {
      setImmediate(fail, started.error);
      return;
    }
    started.process.once("error", fail);
    started.process.once("exit", (code, signal) => {
      if (this.#exit) return;
      // What stayed in the process group keeps the number from being reused.
      if (this.pid !== undefined) trySignal(-this.pid, "SIGKILL");
      this.#exit = started.cell.exit({ code, signal });
      resolve(this.#exit);
      this.emit("exit", this.#exit.code, this.#exit.signal);
    });
  }

  async #clear(exit: ChildExit): Promise<void> {
    if (!("process" in this.#started)) return;
    const { cell, tag } = this.#started;
    const surelyEmpty = await cell.clear(exit);
    await reap(async () => (surelyEmpty ? [] : await findTagged(tag)), [...this.#captured.values()]);
  }
}

async function attempt(action: () => Promise<void>): Promise<void> {
  await action();
}
