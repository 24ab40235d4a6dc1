import { type EventJournal, FencedError, type NewEvent, type StoredEvent } from "@computeragent/protocol";
import Database from "better-sqlite3";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream (no INTEGER PRIMARY KEY, fence INTEGER NOT NULL, next INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS event (stream INTEGER NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (stream, seq)) WITHOUT ROWID;`;

/** A throw-away journal on SQLite: shows that the shape of the port and the suite fit a real database. */
export class SqliteProbe implements EventJournal {
  readonly kind = "sqlite";
  readonly durable = true;
  readonly #db: Database.Database;
  readonly #watchers = new Map<number, Set<(head: number) => void>>();
  #failing = false;
  readonly #write: (stream: number, fence: number, events: readonly NewEvent[]) => number;

  constructor(path: string) {
    const db = new Database(path);
    db.pragma("journal_mode = WAL");
    db.pragma("busy_timeout = 5000");
    db.exec(SCHEMA);
    const owner = db.prepare("SELECT fence, next FROM stream WHERE no = ?");
    const own = db.prepare(
      "INSERT INTO stream VALUES (?, ?, ?) ON CONFLICT (no) DO UPDATE SET fence = excluded.fence, next = excluded.next",
    );
    const insert = db.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?)");
    const transaction = db.transaction((stream: number, fence: number, events: readonly NewEvent[]) => {
      const known = owner.get(stream) as { fence: number; next: number } | undefined;
      if (known && fence < known.fence) throw new FencedError(stream);
      const first = known?.next ?? 0;
      for (const [i, { type, data, at }] of events.entries()) insert.run(stream, first + i, type, data, at);
      if (this.#failing) {
        this.#failing = false;
        throw new Error("no space left on device");
      }
      own.run(stream, fence, first + events.length);
      return first;
    });
    this.#db = db;
    this.#write = transaction.immediate.bind(transaction);
  }

  /** The next commit fails after its rows were written. */
  failNext(): void {
    this.#failing = true;
  }

  async append(
    ...[stream, fence, events]: Parameters<EventJournal["append"]>
  ): Promise<{ firstSeq: number; lastSeq: number }> {
    const firstSeq = this.#write(stream, fence, events);
    const lastSeq = firstSeq + events.length - 1;
    for (const watcher of this.#watchers.get(stream) ?? []) {
      queueMicrotask(() => this.#watchers.get(stream)?.has(watcher) && watcher(lastSeq));
    }
    return { firstSeq, lastSeq };
  }

  read(stream: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
    const rows = this.#db
      .prepare("SELECT seq, type, data, at FROM event WHERE stream = ? AND seq > ? ORDER BY seq")
      .iterate(stream, after ?? -1) as IterableIterator<StoredEvent>;
    const page: StoredEvent[] = [];
    let bytes = 0;
    for (const row of rows) {
      bytes += row.data.length;
      if (page.length > 0 && bytes > maxBytes) break;
      page.push(row);
    }
    return page;
  }

  watch(stream: number, onHead: (head: number) => void): () => void {
    const watchers = this.#watchers.get(stream) ?? new Set();
    this.#watchers.set(stream, watchers.add(onHead));
    return () => watchers.delete(onHead);
  }

  head(stream: number): { oldest: number | null; head: number | null } {
    return this.#db.prepare("SELECT min(seq) AS oldest, max(seq) AS head FROM event WHERE stream = ?").get(stream) as {
      oldest: number | null;
      head: number | null;
    };
  }

  drop(stream: number): void {
    this.#db.prepare("DELETE FROM event WHERE stream = ?").run(stream);
    this.#db.prepare("DELETE FROM stream WHERE no = ?").run(stream);
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}
