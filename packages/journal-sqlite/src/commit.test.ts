import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { committer } from "./commit.ts";
import { openWriter } from "./database.ts";
import type { Task } from "./messages.ts";

let dir: string;
let db: Database.Database;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "commit-"));
  db = openWriter(join(dir, "x.db"), 100);
});

afterEach(() => {
  db.close();
  rmSync(dir, { recursive: true, force: true });
});

const append = (stream: number, fence: number, ...data: string[]): Task => ({
  kind: "append",
  stream,
  fence,
  blocks: data.map((text) => ({ count: 1, events: JSON.stringify([["e", 0.5, text]]) })),
});
const rows = (): unknown[] =>
  db
    .prepare(
      `SELECT stream_no, seq + key, json_extract(value, '$[2]') FROM journal_block, json_each(events) ORDER BY 1, 2`,
    )
    .raw()
    .all();

describe("a commit", () => {
  it("stores tasks in order, counts each stream by itself, and locks older owners out", () => {
    const commit = committer(db);
    expect(commit([append(1, 1, "a", "b"), append(2, 7, "c"), append(1, 2, "d"), append(1, 1, "late")])).toEqual([
      { kind: "stored", firstSeq: 0 },
      { kind: "stored", firstSeq: 0 },
      { kind: "stored", firstSeq: 2 },
      { kind: "fenced" },
    ]);
    expect(rows()).toEqual([
      [1, 0, "a"],
      [1, 1, "b"],
      [1, 2, "d"],
      [2, 0, "c"],
    ]);
  });

  it("drops a stream with its owner, so that it begins anew", () => {
    const commit = committer(db);
    const drop: Task = { kind: "drop", stream: 1 };
    expect(commit([append(1, 9, "a"), append(2, 1, "b"), drop, append(1, 1, "c")])).toEqual([
      { kind: "stored", firstSeq: 0 },
      { kind: "stored", firstSeq: 0 },
      { kind: "stored", firstSeq: 0 },
      { kind: "stored", firstSeq: 0 },
    ]);
    expect(rows()).toEqual([
      [1, 0, "c"],
      [2, 0, "b"],
    ]);
  });

  it("leaves nothing of a task that the storage refuses, and all of the others", () => {
    db.exec(`CREATE TRIGGER full BEFORE INSERT ON journal_block WHEN NEW.events LIKE '%"no"%'
             BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const commit = committer(db);
    const failure = { message: "full", code: "SQLITE_CONSTRAINT_TRIGGER" };
    expect(commit([append(1, 1, "yes", "no")])).toEqual([{ kind: "failed", failure }]);
    expect(commit([append(1, 1, "a"), append(1, 1, "b", "no"), append(1, 1, "c")])).toEqual([
      { kind: "stored", firstSeq: 0 },
      { kind: "failed", failure },
      { kind: "stored", firstSeq: 1 },
    ]);
    expect(rows()).toEqual([
      [1, 0, "a"],
      [1, 1, "c"],
    ]);
  });

  it("fails as a whole where the disk is full, and works again when there is room", () => {
    const commit = committer(db);
    const pages = Number(db.pragma("page_count", { simple: true }));
    db.pragma(`max_page_count = ${pages + 4}`);
    const large = "x".repeat(100_000);
    expect(commit([append(1, 1, "a", large), append(2, 1, large)])).toEqual([
      { kind: "failed", failure: expect.objectContaining({ code: "SQLITE_FULL" }) },
      { kind: "failed", failure: expect.objectContaining({ code: "SQLITE_FULL" }) },
    ]);
    expect(rows()).toEqual([]);
    db.pragma("max_page_count = 100000");
    expect(commit([append(1, 1, large)])).toEqual([{ kind: "stored", firstSeq: 0 }]);
  });
});

describe("the writer's connection", () => {
  it("waits for the disk at every commit, and writes ahead", () => {
    expect(db.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(db.pragma("synchronous", { simple: true })).toBe(2);
  });

  it("finds what an earlier one has made", () => {
    committer(db)([append(1, 1, "a")]);
    const again = openWriter(join(dir, "x.db"), 100);
    expect(again.prepare("SELECT count(*) FROM journal_version").pluck().get()).toBe(1);
    expect(committer(again)([append(1, 1, "b")])).toEqual([{ kind: "stored", firstSeq: 1 }]);
    again.close();
  });
});
