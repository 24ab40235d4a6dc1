import type { EventJournal, NewEvent, StoredEvent } from "@computeragent/protocol";
import { encodeFrames } from "../sse/encode.ts";

/** What a reader gets next: encoded frames up to and including `lastSeq`, and what they weigh in the log. */
export interface FrameBatch {
  readonly bytes: Uint8Array;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly weight: number;
}

/** What an event's frame has beside its data, roughly; the same for whoever counts. */
const OVERHEAD = 48;
/** Encoded frames kept for readers that are nearly at the end. */
const KEEP_BYTES = 1024 * 1024;
/** How much a reader that lags takes from the journal at once. */
const READ_BYTES = 256 * 1024;
/** So many of those batches are kept for readers that lag together. */
const KEEP_READS = 4;

/**
 * The newest part of a log, encoded once for all readers. Each commit becomes one chunk; whoever has read everything
 * before a chunk gets its bytes, whoever is further behind reads the journal.
 */
export class LiveTail {
  /** Weight of everything committed since the log was opened: the measure for how far a reader is behind. */
  totalBytes = 0;
  readonly #journal: EventJournal;
  readonly #stream: number;
  readonly #chunks = new Map<number, FrameBatch>();
  readonly #reads = new Map<number, FrameBatch>();
  readonly #wakers = new Set<() => void>();
  #keptBytes = 0;
  #head = -1;
  #ended = false;

  constructor(journal: EventJournal, stream: number) {
    this.#journal = journal;
    this.#stream = stream;
  }

  /** Newest committed id, -1 before the first. */
  get head(): number {
    return this.#head;
  }

  /** True when nothing will be added any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** `dataLength`: of the data of all of them together. */
  committed(firstSeq: number, events: readonly NewEvent[], dataLength: number): void {
    const weight = dataLength + events.length * OVERHEAD;
    this.totalBytes += weight;
    this.#head = firstSeq + events.length - 1;
    if (this.#wakers.size === 0) return;
    this.#keep({ bytes: encodeFrames(events, firstSeq), firstSeq, lastSeq: this.#head, weight });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Frames after `cursor` (and up to `last`), or null when the reader has everything for now. */
  next(cursor: number, last?: number): FrameBatch | null | Promise<FrameBatch | null> {
    if (cursor >= this.#head) return null;
    const chunk = this.#chunks.get(cursor + 1) ?? this.#reads.get(cursor + 1);
    if (chunk && (last === undefined || chunk.lastSeq <= last)) return chunk;
    const limit = Math.min(last ?? Number.POSITIVE_INFINITY, this.#head);
    const events = this.#journal.read(this.#stream, cursor, READ_BYTES);
    return events instanceof Promise
      ? events.then((list) => this.#keepRead(batchOf(list, limit)))
      : this.#keepRead(batchOf(events, limit));
  }

  /** The newest commit, for whoever has all that was before it. */
  newest(cursor: number): FrameBatch | undefined {
    const chunk = this.#chunks.get(cursor + 1);
    return chunk?.lastSeq === this.#head ? chunk : undefined;
  }

  /** Calls back whenever there is something new, until released. */
  follow(onChange: () => void): () => void {
    this.#wakers.add(onChange);
    return () => {
      this.#wakers.delete(onChange);
      if (this.#wakers.size === 0) this.#reads.clear();
    };
  }

  #wake(): void {
    for (const waker of this.#wakers) waker();
  }

  #keepRead(batch: FrameBatch | null): FrameBatch | null {
    if (batch && this.#wakers.size > 1) {
      this.#reads.set(batch.firstSeq, batch);
      for (const key of this.#reads.keys()) {
        if (this.#reads.size <= KEEP_READS) break;
        this.#reads.delete(key);
      }
    }
    return batch;
  }

  #keep(chunk: FrameBatch): void {
    this.#chunks.set(chunk.firstSeq, chunk);
    this.#keptBytes += chunk.bytes.byteLength;
    for (const [key, old] of this.#chunks) {
      if (this.#keptBytes <= KEEP_BYTES || old === chunk) break;
      this.#chunks.delete(key);
      this.#keptBytes -= old.bytes.byteLength;
    }
  }
}

function batchOf(events: readonly StoredEvent[], limit: number): FrameBatch | null {
  const visible = (events.at(-1)?.seq ?? 0) > limit ? events.filter((event) => event.seq <= limit) : events;
  const first = visible[0];
  const last = visible.at(-1);
  if (!first || !last) return null;
  let weight = visible.length * OVERHEAD;
  for (const { data } of visible) weight += data.length;
  return { bytes: encodeFrames(visible, first.seq), firstSeq: first.seq, lastSeq: last.seq, weight };
}
