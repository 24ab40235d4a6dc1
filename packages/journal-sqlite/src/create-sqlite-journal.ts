import { type EventJournal, type Fence, FencedError, type NewEvent } from "@computeragent/protocol";
import { blocksOf } from "./block.ts";
import { Reader } from "./reader.ts";
import { WriterThread } from "./writer-thread.ts";

/** `path`: the file, in a folder that exists. `busyTimeoutMs`: how long another process may hold it up; default 5000. */
export interface SqliteJournalOptions {
  readonly path: string;
  readonly busyTimeoutMs?: number;
}

/**
 * Opens an `EventJournal` in a file of SQLite (write-ahead log, `synchronous=FULL`). What `append` has resolved is on the disk. Several
 * processes may have the file open. Rejects when the file cannot be used.
 */
export async function createSqliteJournal(options: SqliteJournalOptions): Promise<EventJournal> {
  const { path, busyTimeoutMs = 5000 } = options;
  const writer = await WriterThread.start({ path, busyTimeoutMs });
  const reader = await opened(path, busyTimeoutMs, writer);
  const watchers = new Map<number, Set<(head: number) => void>>();
  let closing: Promise<void> | undefined;

  const requireOpen = (): void => {
    if (closing) throw new Error("the journal is closed");
  };

  return {
    kind: "sqlite",
    durable: true,
    async append(stream: number, fence: Fence, events: readonly NewEvent[]) {
      requireOpen();
      const { length } = events;
      const outcome = await writer.run({ kind: "append", stream, fence, blocks: blocksOf(events) });
      if (outcome.kind !== "stored") throw new FencedError(stream);
      const { firstSeq } = outcome;
      const lastSeq = firstSeq + length - 1;
      for (const watcher of watchers.get(stream) ?? []) watcher(lastSeq);
      return { firstSeq, lastSeq };
    },
    read(stream: number, after: number | null, maxBytes: number) {
      requireOpen();
      return reader.read(stream, after, maxBytes);
    },
    watch(stream: number, onHead: (head: number) => void) {
      const all = watchers.get(stream) ?? new Set();
      // One function may watch twice, and stop once.
      const watcher = (head: number): void => onHead(head);
      watchers.set(stream, all.add(watcher));
      return () => {
        all.delete(watcher);
        if (all.size === 0 && watchers.get(stream) === all) watchers.delete(stream);
      };
    },
    head(stream: number) {
      requireOpen();
      return reader.head(stream);
    },
    async drop(stream: number) {
      requireOpen();
      await writer.run({ kind: "drop", stream });
    },
    close() {
      closing ??= writer.close().finally(() => reader.close());
      return closing;
    },
  };
}

async function opened(path: string, busyTimeoutMs: number, writer: WriterThread): Promise<Reader> {
  try {
    return new Reader(path, busyTimeoutMs);
  } catch (error) {
    await writer.close();
    throw error;
  }
}
