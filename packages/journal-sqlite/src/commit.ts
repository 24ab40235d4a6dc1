import type Database from "better-sqlite3";
import { type Batch, failureOf, type Outcome, type Task } from "./messages.ts";

/** What undoes one task of a transaction and nothing else. */
const FENCED: Outcome = { kind: "fenced" };

/**
 * Makes the function that stores tasks in one transaction, each task whole or not at all and in order. A newer owner of a stream
 * locks older ones out. Where the storage refuses, each task is tried by itself: one that can never be stored harms no other.
 */
export function committer(db: Database.Database): (tasks: readonly Task[]) => readonly Outcome[] {
  const owner = db.prepare<[number], { fence: number; next: number }>(
    "SELECT fence, next FROM journal_stream WHERE no = ?",
  );
  const own = db.prepare(
    "INSERT INTO journal_stream VALUES (?, ?, ?) ON CONFLICT (no) DO UPDATE SET fence = excluded.fence, next = excluded.next",
  );
  const insert = db.prepare("INSERT INTO journal_block VALUES (?, ?, ?, ?)");
  const dropBlocks = db.prepare("DELETE FROM journal_block WHERE stream_no = ?");
  const dropStream = db.prepare("DELETE FROM journal_stream WHERE no = ?");

  const append = ({ stream, fence, blocks }: Batch): Outcome => {
    const known = owner.get(stream);
    if (known && fence < known.fence) return FENCED;
    const firstSeq = known?.next ?? 0;
    let next = firstSeq;
    for (const { count, events } of blocks) {
      insert.run(stream, next, count, events);
      next += count;
    }
    own.run(stream, fence, next);
    return { kind: "stored", firstSeq };
  };
  const run = (task: Task): Outcome => {
    if (task.kind === "append") return append(task);
    dropBlocks.run(task.stream);
    dropStream.run(task.stream);
    return { kind: "stored", firstSeq: 0 };
  };
  const transaction = db.transaction((tasks: readonly Task[]) => tasks.map(run)).immediate;

  return (tasks) => {
    try {
      return transaction(tasks);
    } catch (error) {
      if (tasks.length === 1) return [{ kind: "failed", failure: failureOf(error) }];
    }
    return tasks.map((task) => {
      try {
        return transaction([task])[0] ?? FENCED;
      } catch (error) {
        return { kind: "failed", failure: failureOf(error) };
      }
    });
  };
}
