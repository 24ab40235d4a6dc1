import type { EventJournal, EventType, JsonObject, NewEvent, PartialText } from "@computeragent/protocol";
import type { Masker } from "@computeragent/redaction";
import { LiveTail } from "./live-tail.ts";
import { PartialMasker } from "./partials.ts";
import { ReaderLags } from "./reader-lags.ts";

/** What an event log is made of. */
export interface EventLogOptions {
  readonly journal: EventJournal;
  readonly stream: number;
  readonly fence: number;
  readonly masker: Masker;
  /** Called once when a commit failed: nothing more can be recorded. */
  readonly onFailure: (error: unknown) => void;
  readonly now?: () => number;
}

interface Waiting extends NewEvent {
  readonly onSeq?: (seq: number) => void;
}

/** While this much is not committed, producers wait. */
const MAX_IN_FLIGHT = 4 * 1024 * 1024;

/**
 * The one way into a session's log: mask, number, commit, then show. A commit starts as soon as the previous one is
 * done and takes all that waits. After `seal` nothing is accepted; what comes late is counted in `dropped`.
 */
export class EventLog {
  readonly tail: LiveTail;
  readonly lags = new ReaderLags();
  dropped = 0;
  readonly #options: EventLogOptions;
  readonly #partials: PartialMasker;
  readonly #now: () => number;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #running: Promise<void> | undefined;
  #sealed = false;
  #failed = false;

  constructor(options: EventLogOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#partials = new PartialMasker(options.masker);
    this.tail = new LiveTail(options.journal, options.stream);
  }

  /** A host event. Its strings are masked like everything else. `onSeq` gets its id at the commit, before any reader sees it. */
  emit(type: EventType, data: object, onSeq?: (seq: number) => void): void {
    this.#push(type, this.#options.masker.json(data as JsonObject), onSeq);
  }

  /** An engine's message, verbatim but for masked strings. */
  message(payload: JsonObject, partial?: PartialText): void {
    for (const masked of this.#partials.apply(payload, partial)) this.#push("sdk_message", masked);
  }

  /** Sends what is held back of partial texts whose end never came. */
  flushPartials(): void {
    for (const masked of this.#partials.flush()) this.#push("sdk_message", masked);
  }

  /** Resolves when everything emitted so far is committed (or the log failed). */
  async committed(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Resolves when a producer may go on: commits are not far behind, nor is a live reader (waited for at most 2 s). */
  ready(): Promise<void> | undefined {
    if (this.#inFlight > MAX_IN_FLIGHT) return this.committed();
    return this.lags.hold(this.tail.totalBytes);
  }

  /** Nothing is accepted any more. Readers end when they have everything. */
  async seal(): Promise<void> {
    this.#sealed = true;
    await this.committed();
    this.tail.end();
  }

  get sealed(): boolean {
    return this.#sealed;
  }

  #push(type: EventType, data: JsonObject, onSeq?: (seq: number) => void): void {
    if (this.#sealed || this.#failed) {
      this.dropped++;
      return;
    }
    const text = JSON.stringify(data);
    this.#inFlight += text.length;
    this.#waiting.push({ type, data: text, at: this.#now(), ...(onSeq ? { onSeq } : {}) });
    this.#running ??= this.#commit();
  }

  async #commit(): Promise<void> {
    const { journal, stream, fence } = this.#options;
    while (this.#waiting.length > 0 && !this.#failed) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const { firstSeq } = await journal.append(stream, fence, batch);
        for (const [i, event] of batch.entries()) {
          this.#inFlight -= event.data.length;
          event.onSeq?.(firstSeq + i);
        }
        this.tail.committed(firstSeq, batch);
      } catch (error) {
        this.#failed = true;
        this.dropped += batch.length + this.#waiting.length;
        this.#waiting = [];
        this.tail.end();
        this.#options.onFailure(error);
      }
    }
    this.#running = undefined;
  }
}
