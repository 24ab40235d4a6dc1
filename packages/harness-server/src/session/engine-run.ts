import {
  type EngineContext,
  type EngineDriver,
  type EngineErrorData,
  type EngineEvent,
  EngineFailure,
  type EngineInput,
  type EngineSession,
} from "@computeragent/protocol";
import { InputChannel } from "./input-channel.ts";

/** What an engine run tells its session. */
export interface EngineRunHooks {
  /** Every event in order; the pump waits for a returned promise. */
  event(event: EngineEvent): Promise<void> | undefined;
  /** The engine is gone, unasked. `started` is false if it never produced anything. */
  gone(error: EngineErrorData | undefined, started: boolean): void;
}

/** Times in ms. */
export interface EngineRunLimits {
  readonly startMs: number;
  readonly stopGraceMs: number;
}

/** One life of an engine process: start, pump, stop, and a watchdog for engines that do none of these properly. */
export class EngineRun {
  /** Events that came after the run was given up. */
  dropped = 0;
  readonly #input = new InputChannel();
  readonly #abort = new AbortController();
  readonly #hooks: EngineRunHooks;
  readonly #limits: EngineRunLimits;
  readonly #session: EngineSession;
  readonly #pump: Promise<void>;
  #started = false;
  #stopping = false;
  #abandoned = false;
  #startTimer: NodeJS.Timeout | undefined;

  constructor(
    driver: EngineDriver,
    context: Omit<EngineContext, "input" | "signal">,
    hooks: EngineRunHooks,
    limits: EngineRunLimits,
  ) {
    this.#hooks = hooks;
    this.#limits = limits;
    this.#startTimer = setTimeout(() => this.#startTimedOut(), limits.startMs);
    this.#session = driver.startSession({ ...context, input: this.#input, signal: this.#abort.signal });
    this.#pump = this.#run();
  }

  push(input: EngineInput): void {
    this.#input.push(input);
  }

  async interrupt(): Promise<void> {
    await this.#session.interrupt();
  }

  /** Stops the engine within the grace time; afterwards it is gone and no event of it counts. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#input.end();
    const graceful = this.#session.close().then(
      () => "closed" as const,
      () => "failed" as const,
    );
    if ((await within(graceful, this.#limits.stopGraceMs)) !== "closed") {
      await this.kill();
      return;
    }
    await within(this.#pump, 1000);
    this.#abandon();
  }

  /** Gives the run up at once: kills, and drops whatever still comes. */
  async kill(): Promise<void> {
    this.#stopping = true;
    this.#abandon();
    const killed = this.#session.kill().catch(() => {});
    await within(killed, 1000);
  }

  #abandon(): void {
    this.#abandoned = true;
    clearTimeout(this.#startTimer);
    this.#input.end();
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    let failure: EngineErrorData | undefined;
    try {
      for await (const event of this.#session) {
        if (this.#abandoned) {
          this.dropped++;
          continue;
        }
        if (!this.#started && (event.kind === "message" || event.kind === "turn_end")) {
          this.#started = true;
          clearTimeout(this.#startTimer);
        }
        const wait = this.#hooks.event(event);
        if (wait) await wait;
      }
    } catch (error) {
      failure = toEngineError(error);
    }
    clearTimeout(this.#startTimer);
    if (!this.#stopping && !this.#abandoned) {
      this.#abandon();
      this.#hooks.gone(failure, this.#started);
      await this.#session.close().catch(() => {});
    }
  }

  #startTimedOut(): void {
    if (this.#stopping || this.#started) return;
    void this.kill();
    this.#hooks.gone(
      {
        class: "transient",
        message: `the engine did not start within ${this.#limits.startMs} ms`,
        code: "start_timeout",
      },
      false,
    );
  }
}

/** What an engine threw, as data. Foreign errors are permanent: trying the same again would not help. */
export function toEngineError(error: unknown): EngineErrorData {
  if (error instanceof EngineFailure) return error.error;
  return { class: "permanent", message: error instanceof Error ? error.message : String(error) };
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
