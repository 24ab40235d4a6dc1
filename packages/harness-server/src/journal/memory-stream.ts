import type { NewEvent, StoredEvent, StreamHead } from "@computeragent/protocol";

interface StreamLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly minEvents: number;
}

/** What an event costs beside its data, roughly. */
const OVERHEAD = 64;

/** One stream of the memory journal: an array whose front is dropped lazily, so that appends and reads are O(1) per event. */
export class MemoryStream {
  fence = 0;
  bytes = 0;
  readonly #limits: StreamLimits;
  readonly #watchers = new Set<(head: number) => void>();
  #events: NewEvent[] = [];
  #start = 0;
  #next = 0;
  #notifying = false;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  append(events: readonly NewEvent[], now: number): { firstSeq: number; lastSeq: number } {
    const firstSeq = this.#next;
    for (const event of events) {
      this.#events.push(event);
      this.bytes += event.data.length + OVERHEAD;
    }
    this.#next += events.length;
    this.#trim(now);
    if (events.length > 0) this.#notify();
    return { firstSeq, lastSeq: this.#next - 1 };
  }

  read(after: number | null, maxBytes: number): readonly StoredEvent[] {
    const oldest = this.#next - this.#count();
    const from = this.#start + Math.max(0, (after ?? oldest - 1) + 1 - oldest);
    let bytes = 0;
    let to = from;
    while (to < this.#events.length && (to === from || bytes < maxBytes)) bytes += this.#events[to++]?.data.length ?? 0;
    const shift = this.#next - this.#events.length;
    return this.#events.slice(from, to).map((event, i) => ({ seq: shift + from + i, ...event }));
  }

  head(): StreamHead {
    const count = this.#count();
    return count === 0 ? { oldest: null, head: null } : { oldest: this.#next - count, head: this.#next - 1 };
  }

  watch(onHead: (head: number) => void): () => void {
    this.#watchers.add(onHead);
    return () => void this.#watchers.delete(onHead);
  }

  /** Drops the oldest tenth, but keeps at least `keep` events; returns the bytes freed. */
  dropOldest(keep: number): number {
    const before = this.bytes;
    const spare = this.#count() - keep;
    for (let n = Math.min(spare, Math.ceil(this.#count() / 10)); n > 0; n--) this.#dropOne();
    this.#compact();
    return before - this.bytes;
  }

  #count(): number {
    return this.#events.length - this.#start;
  }

  #trim(now: number): void {
    const { maxEvents, maxBytes, maxAgeMs, minEvents } = this.#limits;
    while (this.#count() > minEvents) {
      const first = this.#events[this.#start];
      const aged = first !== undefined && now - first.at > maxAgeMs;
      if (this.#count() <= maxEvents && this.bytes <= maxBytes && !aged) break;
      this.#dropOne();
    }
    this.#compact();
  }

  #dropOne(): void {
    this.bytes -= (this.#events[this.#start]?.data.length ?? 0) + OVERHEAD;
    this.#start++;
  }

  #compact(): void {
    if (this.#start < 1024 || this.#start * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#start);
    this.#start = 0;
  }

  #notify(): void {
    if (this.#notifying || this.#watchers.size === 0) return;
    this.#notifying = true;
    queueMicrotask(() => {
      this.#notifying = false;
      for (const watcher of [...this.#watchers]) watcher(this.#next - 1);
    });
  }
}
