import type { Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { EngineErrorData, JsonObject } from "@computeragent/protocol";
import type { AsyncQueue } from "./async-queue.ts";
import type { ChildSlot } from "./child-slot.ts";
import { describeExit } from "./exit-error.ts";
import { scrub } from "./scrub.ts";

/** What a running process is made of. */
export interface ProcessParts {
  readonly query: Query;
  /** What `query` reads. */
  readonly prompt: AsyncQueue<SDKUserMessage>;
  readonly slot: ChildSlot;
  readonly startTimeoutMs: number;
  /** Values that must not stand in an error message. */
  readonly secrets: readonly string[];
  /** Called when the process is gone. */
  readonly gone?: () => void;
}

/** Milliseconds that the SDK has to notice that its process is gone. */
const SDK_GRACE_MS = 2_000;
/** Milliseconds of each polite step of a stop. */
const STOP_STEP_MS = 1_000;

/** One CLI process and the SDK's end of it. */
export class ClaudeProcess {
  readonly #parts: ProcessParts;
  #answered = false;
  #timedOut = false;

  constructor(parts: ProcessParts) {
    this.#parts = parts;
    const close = (): void => this.#parts.query.close();
    parts.slot.ended.then(() => setTimeout(close, SDK_GRACE_MS).unref());
  }

  /** Every message, in order; to be iterated once. Ends when the process is gone. Never throws: returns why it ended, undefined if as asked. */
  async *messages(): AsyncGenerator<JsonObject, EngineErrorData | undefined> {
    const { query, slot, secrets, startTimeoutMs, gone } = this.#parts;
    const timer = setTimeout(() => this.#startTimedOut(), startTimeoutMs);
    let thrown: unknown;
    query.initializationResult().then(
      () => clearTimeout(timer),
      (error: unknown) => {
        thrown ??= error;
      },
    );
    let read: (() => void) | undefined;
    try {
      for (;;) {
        const coming = query.next();
        // The SDK keeps what it has read: it gets more only when it has nothing left.
        const hungry = setImmediate(() => read?.());
        const next = await coming;
        clearImmediate(hungry);
        if (next.done) break;
        read = slot.hold();
        clearTimeout(timer);
        this.#answered = true;
        // A message is a parsed line of the CLI.
        yield next.value as unknown as JsonObject;
      }
    } catch (error) {
      thrown ??= error;
    } finally {
      read?.();
      clearTimeout(timer);
      query.close();
    }
    const exit = slot.spawned ? await slot.ended : undefined;
    gone?.();
    return describeExit({
      ...(exit ? { exit } : {}),
      ...(slot.fault ? { fault: slot.fault } : {}),
      thrown,
      answered: this.#answered,
      timedOut: this.#timedOut,
      stderr: slot.stderr.text(secrets),
      secrets,
    });
  }

  /** The first thing on stdout that was no message, without secrets. */
  get noise(): string | undefined {
    const { slot, secrets } = this.#parts;
    return slot.noise === undefined ? undefined : scrub(slot.noise, secrets);
  }

  /** Hands a message over; null: no more come, and the process ends after what it has. */
  send(message: SDKUserMessage | null): void {
    if (message) this.#parts.prompt.push(message);
    else this.#parts.prompt.end();
  }

  /** Ends the running turn and what is queued behind it. Resolves when the CLI has taken it, or is gone. */
  async interrupt(): Promise<void> {
    const { query } = this.#parts;
    // The SDK knows this argument, its types do not: without it, queued messages would run after the interrupt.
    const interrupt: (options: { cancelQueued: true }) => Promise<unknown> = query.interrupt.bind(query);
    await interrupt({ cancelQueued: true }).catch(() => {});
  }

  /** Interrupts, closes and, if need be, kills. Resolves when the process and all that it started are gone. */
  async stop(): Promise<void> {
    await this.#parts.slot.stop(() => this.interrupt(), STOP_STEP_MS);
    this.#parts.prompt.end();
    this.#parts.query.close();
  }

  /** Kills at once. Resolves when the process and all that it started are gone. */
  kill(): Promise<void> {
    return this.#parts.slot.kill();
  }

  #startTimedOut(): void {
    this.#timedOut = true;
    void this.kill().catch(() => {});
  }
}
