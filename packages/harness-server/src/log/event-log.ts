import { setImmediate as nextTick } from "node:timers/promises";
import {
  EngineFailure,
  type EventJournal,
  type EventType,
  type JsonObject,
  type NewEvent,
  type PartialText,
} from "@computeragent/protocol";
import type { Masker } from "@computeragent/redaction";
import { LiveTail } from "./live-tail.ts";
import { PartialMasker } from "./partials.ts";
import { type HoldLimits, ReaderLags } from "./reader-lags.ts";
import { tickTime } from "./tick-time.ts";

/** What an event log is made of. */
export interface EventLogOptions {
  readonly journal: EventJournal;
  readonly stream: number;
  readonly fence: number;
  readonly masker: Masker;
  readonly hold: HoldLimits;
  /** Of an engine's message as JSON text, in UTF-16 units. Default: no bound. */
  readonly maxMessageBytes?: number;
  /** Called once when a commit failed: nothing more can be recorded. */
  readonly onFailure: (error: unknown) => void;
}

/** Tells the id of the event at `index` of a batch. */
interface Caller {
  readonly index: number;
  readonly onSeq: (seq: number) => void;
}

/** While this much is not committed, producers wait. */
const MAX_IN_FLIGHT = 4 * 1024 * 1024;

/**
 * The one way into a session's log: mask, number, commit, then show. A commit starts at once when the log rests, else
 * in the tick after the previous one, and takes all that waits. After `seal` nothing is accepted; what comes late is
 * counted in `dropped`.
 */
export class EventLog {
  readonly tail: LiveTail;
  readonly lags: ReaderLags;
  dropped = 0;
  readonly #options: EventLogOptions;
  readonly #partials: PartialMasker;
  readonly #pushMessage = (masked: JsonObject): void => this.#push("sdk_message", masked, undefined);
  readonly #pushBounded = (masked: JsonObject): void =>
    this.#push("sdk_message", masked, undefined, this.#options.maxMessageBytes);
  #waiting: NewEvent[] = [];
  #waitingLength = 0;
  #callers: Caller[] = [];
  #inFlight = 0;
  #accepted = 0;
  #done = 0;
  #committing = false;
  #state: "open" | "sealed" | "failed" = "open";
  #waiters: { readonly upTo: number; readonly resolve: (recorded: boolean) => void }[] = [];

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#partials = new PartialMasker(options.masker);
    this.lags = new ReaderLags(options.hold);
    this.tail = new LiveTail(options.journal, options.stream);
  }

  /** A host event. Its strings are masked like everything else. `onSeq` gets its id at the commit, before any reader sees it. */
  emit(type: EventType, data: object, onSeq?: (seq: number) => void): void {
    this.#push(type, this.#options.masker.json(data as JsonObject), onSeq);
  }

  /**
   * An engine's message, verbatim but for masked strings. Await what is returned, if anything, before the next one:
   * commits are far behind, or a live reader is (that is not waited for long). Throws `EngineFailure` for one that is too large.
   */
  message(payload: JsonObject, partial?: PartialText): Promise<unknown> | undefined {
    if (partial) this.#partials.apply(payload, partial, this.#pushBounded);
    else this.#pushBounded(this.#options.masker.json(payload));
    return this.#waitingLength + this.#inFlight > MAX_IN_FLIGHT
      ? this.committed()
      : this.lags.hold(this.tail.totalBytes);
  }

  /** Sends what is held back of partial texts whose end never came. */
  flushPartials(): void {
    this.#partials.flush(this.#pushMessage);
  }

  /** Resolves when everything emitted so far is committed: true, or false if it never will be. */
  committed(): Promise<boolean> {
    if (this.#state === "failed") return Promise.resolve(false);
    if (this.#done === this.#accepted) return Promise.resolve(true);
    return new Promise((resolve) => this.#waiters.push({ upTo: this.#accepted, resolve }));
  }

  /** Nothing is accepted any more. Readers end when they have everything. */
  async seal(): Promise<void> {
    if (this.#state === "open") this.#state = "sealed";
    await this.committed();
    this.tail.end();
  }

  #push(type: EventType, data: JsonObject, onSeq: ((seq: number) => void) | undefined, most?: number): void {
    if (this.#state !== "open") {
      this.dropped++;
      return;
    }
    const text = JSON.stringify(data);
    if (most !== undefined && text.length > most) throw tooLarge(text.length, most);
    this.#waitingLength += text.length;
    this.#accepted++;
    if (onSeq) this.#callers.push({ index: this.#waiting.length, onSeq });
    this.#waiting.push({ type, data: text, at: tickTime() });
    if (!this.#committing) void this.#commit();
  }

  async #commit(): Promise<void> {
    const { journal, stream, fence } = this.#options;
    this.#committing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      const callers = this.#callers;
      this.#inFlight = this.#waitingLength;
      this.#waitingLength = 0;
      this.#waiting = [];
      if (callers.length > 0) this.#callers = [];
      try {
        const { firstSeq } = await journal.append(stream, fence, batch);
        for (const { index, onSeq } of callers) onSeq(firstSeq + index);
        this.#committed(firstSeq, batch);
      } catch (error) {
        this.#fail(error, batch.length + this.#waiting.length);
      }
      await nextTick();
    }
    this.#committing = false;
  }

  #committed(firstSeq: number, batch: readonly NewEvent[]): void {
    const length = this.#inFlight;
    this.#inFlight = 0;
    this.#done += batch.length;
    this.tail.committed(firstSeq, batch, length);
    if (this.#waiters.length > 0) this.#tell();
  }

  #tell(): void {
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ upTo }) => upTo > this.#done);
    for (const { upTo, resolve } of waiters) if (upTo <= this.#done) resolve(true);
  }

  #fail(error: unknown, lost: number): void {
    this.#state = "failed";
    this.dropped += lost;
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#inFlight = 0;
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
    this.tail.end();
    this.#options.onFailure(error);
  }
}

function tooLarge(length: number, most: number): EngineFailure {
  const message = `the engine sent a message of ${length} bytes; ${most} are the most`;
  return new EngineFailure({ class: "permanent", message, code: "message_too_large" });
}
