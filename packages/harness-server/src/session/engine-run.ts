import { setImmediate as nextTick } from "node:timers/promises";
import {
  type Authorization,
  type EngineContext,
  type EngineDriver,
  type EngineErrorData,
  type EngineEvent,
  EngineFailure,
  type EngineInput,
  type EngineSession,
  type ToolCall,
} from "@computeragent/protocol";
import { InputChannel } from "./input-channel.ts";
import { within } from "./within.ts";

/** What an engine run tells its session. */
export interface EngineRunHooks {
  /** Every event in order; the pump waits for a returned promise. */
  event(event: EngineEvent): Promise<unknown> | undefined;
  /** An event that came after the run was given up. */
  late(): void;
  /** The engine is gone, unasked, with everything it started. `started` is false if it never produced anything. */
  gone(error: EngineErrorData | undefined, started: boolean): void;
}

/** Times in ms. */
export interface EngineRunLimits {
  readonly startMs: number;
  readonly stopGraceMs: number;
}

/** How long a kill, or the rest of the output after a close, is waited for. */
const LAST_WAIT_MS = 500;
/** An engine that goes on talking after it was given up is listened to no longer than this. */
const MAX_LATE = 10_000;
const GIVEN_UP: Authorization = { behavior: "deny", message: "The session has given this engine up.", interrupt: true };

/** One life of an engine process: start, pump, stop, and a watchdog for engines that do none of these properly. */
export class EngineRun {
  readonly #input = new InputChannel();
  readonly #abort = new AbortController();
  readonly #hooks: EngineRunHooks;
  readonly #limits: EngineRunLimits;
  readonly #session: EngineSession;
  readonly #pump: Promise<void>;
  readonly #startTimer: NodeJS.Timeout;
  #started = false;
  #stopping = false;
  #abandoned = false;
  #late = 0;

  /** Throws what the driver throws when it cannot even begin. */
  constructor(
    driver: EngineDriver,
    context: Omit<EngineContext, "input" | "signal">,
    hooks: EngineRunHooks,
    limits: EngineRunLimits,
  ) {
    this.#hooks = hooks;
    this.#limits = limits;
    this.#session = driver.startSession({
      ...context,
      authorize: (call) => this.#authorize(call, context.authorize),
      input: this.#input,
      signal: this.#abort.signal,
    });
    this.#startTimer = setTimeout(() => void this.#startTimedOut(), limits.startMs);
    this.#pump = this.#run();
  }

  /** Hands input over; false if the engine takes no more. */
  push(input: EngineInput): boolean {
    return this.#input.push(input);
  }

  /** Asks the engine to end its turn. An engine that fails at this is left to the watchdog. */
  interrupt(): void {
    void settled(() => this.#session.interrupt());
  }

  /** Stops the engine within the grace time; afterwards it is gone and no event of it counts. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#input.end();
    if (!(await this.#closed())) return await this.kill();
    await within(this.#pump, LAST_WAIT_MS);
    this.#abandon();
  }

  /** Gives the run up at once: kills, and drops whatever still comes. */
  async kill(): Promise<void> {
    this.#stopping = true;
    this.#abandon();
    await within(
      settled(() => this.#session.kill()),
      LAST_WAIT_MS,
    );
  }

  #closed(): Promise<boolean> {
    const closing = settled(() => this.#session.close());
    return within(closing, this.#limits.stopGraceMs).then((done) => done === true);
  }

  #abandon(): void {
    this.#abandoned = true;
    clearTimeout(this.#startTimer);
    this.#input.end();
    this.#abort.abort();
  }

  #authorize(call: ToolCall, ask: EngineContext["authorize"]): Promise<Authorization> {
    if (this.#abandoned) return Promise.resolve(GIVEN_UP);
    this.#sawLife();
    return ask(call);
  }

  #sawLife(): void {
    this.#started = true;
    clearTimeout(this.#startTimer);
  }

  async #run(): Promise<void> {
    let failure: EngineErrorData | undefined;
    try {
      // Not `for await`: leaving such a loop waits for the engine, and this one may have to be left without.
      const events = this.#session[Symbol.asyncIterator]();
      for (let next = await events.next(); !next.done && this.#late < MAX_LATE; next = await events.next()) {
        const wait = this.#take(next.value);
        if (wait) await wait;
      }
    } catch (error) {
      failure = toEngineError(error);
    }
    clearTimeout(this.#startTimer);
    if (!this.#stopping) await this.#lost(failure);
  }

  #take(event: EngineEvent): Promise<unknown> | undefined {
    if (this.#abandoned) {
      this.#late++;
      this.#hooks.late();
      return nextTick();
    }
    if (!this.#started && (event.kind === "message" || event.kind === "turn_end")) this.#sawLife();
    return this.#hooks.event(event);
  }

  /** First everything of the engine must be gone: the session may start another one as soon as it hears of it. */
  async #lost(failure: EngineErrorData | undefined): Promise<void> {
    this.#input.end();
    const closed = await this.#closed();
    if (this.#stopping) return;
    if (!closed) await this.kill();
    this.#abandon();
    this.#hooks.gone(failure, this.#started);
  }

  async #startTimedOut(): Promise<void> {
    if (this.#stopping) return;
    await this.kill();
    const message = `the engine did not start within ${this.#limits.startMs} ms`;
    this.#hooks.gone({ class: "transient", message, code: "start_timeout" }, false);
  }
}

/** What an engine threw, as data. Foreign errors are permanent: trying the same again would not help. */
export function toEngineError(error: unknown): EngineErrorData {
  if (error instanceof EngineFailure) return error.error;
  return { class: "permanent", message: error instanceof Error ? error.message : String(error) };
}

/** Runs what may throw or reject in any way; resolves with whether it did not. */
async function settled(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
