/** Ownership of a stream. A write with a fence older than the newest one seen for the stream is refused with `FencedError`. */
export type Fence = number;

/** What is written: the event's name and its data as JSON text. `at` is wall time in ms, for display only. */
export interface NewEvent {
  readonly type: string;
  readonly data: string;
  readonly at: number;
}

/** What is read. `seq` is contiguous from 0 within the stream. */
export interface StoredEvent extends NewEvent {
  readonly seq: number;
}

/** `oldest` and `head` are null while a stream has no events. `oldest` > 0 once old events were dropped. */
export interface StreamHead {
  readonly oldest: number | null;
  readonly head: number | null;
}

/**
 * The log of all sessions of a host. An event is visible to `read` and `watch` only after `append` has committed it.
 * Adapters: `memory` (harness-server) and SQLite. Both run the journal contract suite of the testing package.
 */
export interface EventJournal {
  readonly kind: "memory" | "sqlite" | "other";
  /** True when events outlive the process. */
  readonly durable: boolean;
  /** Appends atomically and in call order; resolves after the commit. Rejects with `FencedError`, or with the storage's error: then nothing of the batch is stored. */
  append(stream: number, fence: Fence, events: readonly NewEvent[]): Promise<{ firstSeq: number; lastSeq: number }>;
  /** Events with seq > after (null = from the oldest kept), in order, at least one if there is one, about `maxBytes` of data at most. */
  read(
    stream: number,
    after: number | null,
    maxBytes: number,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** Calls back after each commit with the new head, until the returned function is called. Never called synchronously from `append`'s caller. */
  watch(stream: number, onHead: (head: number) => void): () => void;
  head(stream: number): StreamHead | Promise<StreamHead>;
  /** Drops a stream wholly (a purged session). */
  drop(stream: number): void | Promise<void>;
  /** Waits for pending commits, then releases everything. Later calls reject. */
  close(): Promise<void>;
}

/** A write by an owner that was replaced. */
export class FencedError extends Error {
  readonly stream: number;
  constructor(stream: number) {
    super(`stream ${stream} has a newer owner`);
    this.name = "FencedError";
    this.stream = stream;
  }
}
