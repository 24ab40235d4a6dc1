import type { StoredEvent, StreamHead } from "@computeragent/protocol";
import Database from "better-sqlite3";
import { eventsOf } from "./block.ts";

/** Reads on a connection of its own: what was committed is seen at once, and no reader waits for a commit. */
export class Reader {
  readonly #db: Database.Database;
  readonly #blocks: Database.Statement<[number, number, number], { seq: number; events: string }>;
  readonly #head: Database.Statement<[number, number], StreamHead>;

  /** The file must have its tables. */
  constructor(path: string, busyTimeoutMs: number) {
    this.#db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
    this.#blocks = this.#db.prepare(
      `SELECT seq, events FROM journal_block WHERE stream_no = ? AND seq >= ifnull(
         (SELECT max(seq) FROM journal_block WHERE stream_no = ? AND seq <= ?), 0) ORDER BY seq`,
    );
    this.#head = this.#db.prepare(
      `SELECT (SELECT min(seq) FROM journal_block WHERE stream_no = ?) AS oldest,
              (SELECT next - 1 FROM journal_stream WHERE no = ? AND next > 0) AS head`,
    );
  }

  /** As `EventJournal.read`. */
  read(stream: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
    const page: StoredEvent[] = [];
    const from = (after ?? -1) + 1;
    let bytes = 0;
    for (const block of this.#blocks.iterate(stream, stream, from)) {
      for (const event of eventsOf(block.events, block.seq)) {
        if (event.seq < from) continue;
        bytes += event.data.length;
        if (page.length > 0 && bytes > maxBytes) return page;
        page.push(event);
      }
    }
    return page;
  }

  head(stream: number): StreamHead {
    return this.#head.get(stream, stream) ?? { oldest: null, head: null };
  }

  close(): void {
    this.#db.close();
  }
}
