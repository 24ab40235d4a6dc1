import type { StoredEvent, StreamHead } from "@computeragent/protocol";
import Database from "better-sqlite3";

/** Reads on a connection of its own: what was committed is seen at once, and no reader waits for a commit. */
export class Reader {
  readonly #db: Database.Database;
  readonly #page: Database.Statement<[number, number], StoredEvent>;
  readonly #head: Database.Statement<[number, number], StreamHead>;

  /** The file must have its tables. */
  constructor(path: string, busyTimeoutMs: number) {
    this.#db = new Database(path, { readonly: true, timeout: busyTimeoutMs });
    this.#page = this.#db.prepare(
      "SELECT seq, type, data, at FROM journal_event WHERE stream_no = ? AND seq > ? ORDER BY seq",
    );
    this.#head = this.#db.prepare(
      `SELECT (SELECT min(seq) FROM journal_event WHERE stream_no = ?) AS oldest,
              (SELECT max(seq) FROM journal_event WHERE stream_no = ?) AS head`,
    );
  }

  /** As `EventJournal.read`. */
  read(stream: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
    const page: StoredEvent[] = [];
    let bytes = 0;
    for (const event of this.#page.iterate(stream, after ?? -1)) {
      bytes += event.data.length;
      if (page.length > 0 && bytes > maxBytes) break;
      page.push(event);
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
