import type { EventJournal, NewEvent, StoredEvent } from "@computeragent/protocol";

/** An event whose data holds `n`, padded to about `bytes`. */
export function event(n: number, bytes = 0): NewEvent {
  return { type: "sdk_message", data: JSON.stringify({ n, pad: "x".repeat(bytes) }), at: 1_700_000_000_000 + n };
}

/** `count` events with rising numbers from `from`. */
export function events(count: number, from = 0): NewEvent[] {
  return Array.from({ length: count }, (_, i) => event(from + i));
}

/** All kept events of a stream, read page by page. */
export async function readAll(journal: EventJournal, stream: number, maxBytes = 65_536): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (;;) {
    const page = await journal.read(stream, all.at(-1)?.seq ?? null, maxBytes);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** What was written, as it must be read again. */
export function stored(written: readonly NewEvent[], firstSeq = 0): StoredEvent[] {
  return written.map(({ type, data, at }, i) => ({ seq: firstSeq + i, type, data, at }));
}

/** Copies with exactly the fields of the port: an adapter may carry more. */
export function plain(read: readonly StoredEvent[]): StoredEvent[] {
  return read.map(({ seq, type, data, at }) => ({ seq, type, data, at }));
}
