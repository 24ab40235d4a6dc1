import { type EventJournal, type Fence, FencedError, type NewEvent, type StoredEvent } from "@computeragent/protocol";
import { MemoryStream } from "./memory-stream.ts";

/** Bounds of a memory journal. Old events are dropped from a stream's front; the newest `minEvents` are
 * kept unless the host's bytes are used up. */
export interface MemoryJournalOptions {
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  readonly maxHostBytes?: number;
  readonly maxAgeMs?: number;
  readonly minEvents?: number;
  readonly now?: () => number;
}

const MIB = 1024 * 1024;

/** An `EventJournal` that lives and dies with the process. */
export function createMemoryJournal(options: MemoryJournalOptions = {}): EventJournal {
  const limits = {
    maxEvents: options.maxEvents ?? 100_000,
    maxBytes: options.maxBytes ?? 64 * MIB,
    maxAgeMs: options.maxAgeMs ?? 3_600_000,
    minEvents: options.minEvents ?? 1000,
  };
  const maxHostBytes = options.maxHostBytes ?? 256 * MIB;
  const now = options.now ?? Date.now;
  const streams = new Map<number, MemoryStream>();
  let hostBytes = 0;
  let closed = false;

  const requireOpen = (): void => {
    if (closed) throw new Error("the journal is closed");
  };
  const streamOf = (id: number): MemoryStream => {
    let stream = streams.get(id);
    if (!stream) {
      stream = new MemoryStream(limits);
      streams.set(id, stream);
    }
    return stream;
  };

  const shrinkHost = (): void => {
    while (hostBytes > maxHostBytes) {
      let largest: MemoryStream | undefined;
      for (const stream of streams.values()) if (!largest || stream.bytes > largest.bytes) largest = stream;
      // The least number gives way to the host's memory, but for the newest event.
      const freed = largest?.dropOldest(limits.minEvents) || largest?.dropOldest(1) || 0;
      if (freed === 0) return;
      hostBytes -= freed;
    }
  };

  return {
    kind: "memory",
    durable: false,
    async append(id: number, fence: Fence, events: readonly NewEvent[]) {
      requireOpen();
      const stream = streamOf(id);
      if (fence < stream.fence) throw new FencedError(id);
      stream.fence = fence;
      const before = stream.bytes;
      const range = stream.append(events, now());
      hostBytes += stream.bytes - before;
      if (hostBytes > maxHostBytes) shrinkHost();
      return range;
    },
    read(id: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
      requireOpen();
      return streams.get(id)?.read(after, maxBytes) ?? [];
    },
    watch(id: number, onHead: (head: number) => void) {
      return streamOf(id).watch(onHead);
    },
    head(id: number) {
      requireOpen();
      return streams.get(id)?.head() ?? { oldest: null, head: null };
    },
    drop(id: number) {
      hostBytes -= streams.get(id)?.bytes ?? 0;
      streams.delete(id);
    },
    async close() {
      closed = true;
      streams.clear();
    },
  };
}
