import type { EngineEvent } from "@computeragent/protocol";

type Result = IteratorResult<EngineEvent, undefined>;
const DONE: Result = { value: undefined, done: true };
const ROOM = 512;

/** Hands events from a running engine to its one reader. The writer is told to wait while 512 events are unread. */
export class EventChannel {
  #buffer: EngineEvent[] = [];
  #read = 0;
  readonly #readers: PromiseWithResolvers<Result>[] = [];
  #room: PromiseWithResolvers<void> | null = null;
  #over: { readonly error?: unknown } | null = null;

  /** Hands over one event; await what is returned, if anything, before the next. Ignored after the end. */
  push(event: EngineEvent): Promise<void> | undefined {
    if (this.#over) return;
    const reader = this.#readers.shift();
    if (reader) {
      reader.resolve({ value: event, done: false });
      return;
    }
    this.#buffer.push(event);
    if (this.#buffer.length - this.#read < ROOM) return;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  /** Ends the channel once everything was read; with an error, that read rejects. */
  end(error?: unknown): void {
    if (this.#over) return;
    this.#over = error === undefined ? {} : { error };
    this.#finish();
  }

  /** Ends the channel at once: what was not read is lost. */
  cut(): void {
    this.#over = {};
    this.#buffer = [];
    this.#read = 0;
    this.#finish();
  }

  next(): Promise<Result> {
    const event = this.#buffer[this.#read];
    if (event) {
      this.#read++;
      if (this.#read === this.#buffer.length) {
        this.#buffer = [];
        this.#read = 0;
        this.#makeRoom();
      }
      return Promise.resolve({ value: event, done: false });
    }
    if (this.#over) return this.#last();
    const reader = Promise.withResolvers<Result>();
    this.#readers.push(reader);
    return reader.promise;
  }

  #last(): Promise<Result> {
    const error = this.#over?.error;
    this.#over = {};
    return error === undefined ? Promise.resolve(DONE) : Promise.reject(error);
  }

  #finish(): void {
    for (const reader of this.#readers.splice(0)) this.#last().then(reader.resolve, reader.reject);
    this.#makeRoom();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = null;
  }
}
