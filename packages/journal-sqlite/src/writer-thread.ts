import { once } from "node:events";
import { Worker } from "node:worker_threads";
import {
  errorOf,
  type Failure,
  type FromWriter,
  type Outcome,
  type Task,
  type ToWriter,
  type WriterData,
} from "./messages.ts";

/** As this file: compiled, or as it is. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "./writer.ts" : "./writer.js", import.meta.url);

const GONE: Failure = { message: "its thread has ended", code: undefined };

/** A task on its way, and who waits for it. */
interface Waiting {
  readonly task: Task;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/**
 * The thread that writes, seen from outside. A commit begins as soon as the one before has ended and takes all that waits, so
 * nothing waits for a timer and a slow disk makes commits larger, not more. The process may end while nothing is on its way.
 */
export class WriterThread {
  readonly #worker: Worker;
  readonly #exited: Promise<unknown>;
  #waiting: Waiting[] = [];
  #onTheWay: Waiting[] = [];
  #broken: Error | undefined;
  #idle: (() => void)[] = [];

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#exited = exitOf(worker);
    worker.on("message", (message: FromWriter) => message.kind === "done" && this.#done(message.outcomes));
    worker.on("error", (error) => this.#break(error));
    void this.#exited.then(() => this.#break(errorOf(GONE)));
    worker.unref();
  }

  /** Starts it. Rejects when the file cannot be used. */
  static async start(data: WriterData): Promise<WriterThread> {
    const worker = new Worker(PROGRAM, { workerData: data, name: "journal", stdin: false });
    const gone = exitOf(worker).then(() => [{ kind: "unusable", failure: GONE } as const]);
    const [message] = (await Promise.race([once(worker, "message"), gone])) as [FromWriter];
    if (message.kind !== "unusable") return new WriterThread(worker);
    await worker.terminate();
    const { message: why, code } = message.failure;
    throw Object.assign(new Error(`the journal ${data.path} cannot be used: ${why}`), { code });
  }

  /** Resolves after the commit. Rejects with the storage's error: then nothing of the task is stored. */
  run(task: Task): Promise<Outcome> {
    if (this.#broken) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      if (this.#onTheWay.length === 0) this.#send();
    });
  }

  /** Waits for all that was given, then ends the thread. */
  async close(): Promise<void> {
    if (this.#onTheWay.length > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (!this.#broken) this.#post({ kind: "close" });
    await this.#exited;
  }

  #send(): void {
    this.#onTheWay = this.#waiting;
    this.#waiting = [];
    this.#worker.ref();
    this.#post({ kind: "commit", tasks: this.#onTheWay.map(({ task }) => task) });
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message);
  }

  #done(outcomes: readonly Outcome[]): void {
    const finished = this.#onTheWay;
    this.#onTheWay = [];
    if (this.#waiting.length > 0) this.#send();
    else this.#rest();
    for (const [i, { resolve, reject }] of finished.entries()) {
      const outcome = outcomes[i];
      if (outcome === undefined) reject(new Error("the journal's writer gave no answer"));
      else if (outcome.kind === "failed") reject(errorOf(outcome.failure));
      else resolve(outcome);
    }
  }

  /** What was on its way may be stored or not; nobody can say. */
  #break(error: Error): void {
    this.#broken ??= error;
    for (const { reject } of [...this.#onTheWay, ...this.#waiting]) reject(this.#broken);
    this.#onTheWay = [];
    this.#waiting = [];
    this.#rest();
  }

  #rest(): void {
    this.#worker.unref();
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function exitOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once("exit", () => resolve()));
}
