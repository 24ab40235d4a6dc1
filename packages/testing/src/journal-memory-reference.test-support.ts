import { type EventJournal, FencedError, type StoredEvent } from "@computeragent/protocol";

interface Stream {
  fence: number;
  next: number;
  events: StoredEvent[];
  readonly watchers: Set<(head: number) => void>;
}

/** The smallest journal that is right: proof that the suite can be passed, and what faulty variants are made of. */
export class MemoryReference implements EventJournal {
  readonly kind = "memory";
  readonly durable = false;
  readonly #streams = new Map<number, Stream>();
  readonly #keep: number;
  #closed = false;

  constructor(keep = Number.POSITIVE_INFINITY) {
    this.#keep = keep;
  }

  async append(
    ...[stream, fence, events]: Parameters<EventJournal["append"]>
  ): Promise<{ firstSeq: number; lastSeq: number }> {
    const s = this.#stream(stream);
    if (fence < s.fence) throw new FencedError(stream);
    s.fence = fence;
    const firstSeq = s.next;
    for (const { type, data, at } of events) s.events.push({ seq: s.next++, type, data, at });
    if (s.events.length > this.#keep) s.events = s.events.slice(-this.#keep);
    for (const watcher of s.watchers) queueMicrotask(() => s.watchers.has(watcher) && watcher(s.next - 1));
    return { firstSeq, lastSeq: s.next - 1 };
  }

  read(stream: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
    const page: StoredEvent[] = [];
    let bytes = 0;
    for (const event of this.#stream(stream).events) {
      if (after !== null && event.seq <= after) continue;
      bytes += event.data.length;
      if (page.length > 0 && bytes > maxBytes) break;
      page.push(event);
    }
    return page;
  }

  watch(stream: number, onHead: (head: number) => void): () => void {
    const { watchers } = this.#stream(stream);
    watchers.add(onHead);
    return () => watchers.delete(onHead);
  }

  head(stream: number): { oldest: number | null; head: number | null } {
    const { events } = this.#stream(stream);
    return { oldest: events[0]?.seq ?? null, head: events.at(-1)?.seq ?? null };
  }

  drop(stream: number): void {
    this.#streams.delete(stream);
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #stream(stream: number): Stream {
    if (this.#closed) throw new Error("the journal is closed");
    const known = this.#streams.get(stream);
    if (known) return known;
    const fresh: Stream = { fence: 0, next: 0, events: [], watchers: new Set() };
    this.#streams.set(stream, fresh);
    return fresh;
  }
}
