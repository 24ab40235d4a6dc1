import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EventJournal, FencedError } from "@computeragent/protocol";
import { journalContract } from "@computeragent/testing";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { createSqliteJournal } from "./create-sqlite-journal.ts";

const dir = mkdtempSync(join(tmpdir(), "journal-sqlite-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let files = 0;
const newPath = (): string => join(dir, `${files++}.db`);
const paths = new WeakMap<EventJournal, string>();

async function open(path = newPath(), busyTimeoutMs?: number): Promise<EventJournal> {
  const journal = await createSqliteJournal({ path, ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }) });
  paths.set(journal, path);
  return journal;
}

/** Runs SQL on a journal's file, as another program could. */
function meddle(path: string, sql: string): void {
  const db = new Database(path);
  db.exec(sql);
  db.close();
}

const event = (n: number) => ({ type: "sdk_message", data: JSON.stringify({ n }), at: n });

describe("the journal on SQLite", () => {
  const cases = journalContract(() => open(), {
    failNextCommit: (journal) =>
      meddle(
        paths.get(journal) ?? "",
        `CREATE TRIGGER full BEFORE INSERT ON journal_block WHEN NEW.events LIKE '%:52,%'
         BEGIN SELECT RAISE(ABORT, 'no space left on device'); END`,
      ),
    reopen: async (journal) => {
      await journal.close();
      return open(paths.get(journal));
    },
  });
  for (const c of cases) it(`${c.id}: ${c.behaviour}`, c.run);
});

describe("a commit", () => {
  it("takes all that waits, and one task that can never be stored harms no other", async () => {
    const journal = await open();
    meddle(
      paths.get(journal) ?? "",
      `CREATE TRIGGER never BEFORE INSERT ON journal_block WHEN NEW.events LIKE '%"never"%'
         BEGIN SELECT RAISE(ABORT, 'never'); END`,
    );
    const given = await Promise.allSettled([
      journal.append(1, 1, [event(0)]),
      journal.append(1, 1, [event(1), { ...event(2), type: "never" }]),
      journal.append(1, 0, [event(3)]),
      journal.append(1, 1, [event(4)]),
      journal.append(2, 1, [event(5)]),
    ]);
    expect(given.map((one) => (one.status === "fulfilled" ? one.value : one.reason.message))).toEqual([
      { firstSeq: 0, lastSeq: 0 },
      "the journal could not be written: never",
      "stream 1 has a newer owner",
      { firstSeq: 1, lastSeq: 1 },
      { firstSeq: 0, lastSeq: 0 },
    ]);
    expect((await journal.read(1, null, 1000)).map(({ at }) => at)).toEqual([0, 4]);
    await journal.close();
  });

  it("waits for another process that holds the file up, and says so when that is too long", async () => {
    const path = newPath();
    const journal = await open(path, 200);
    await journal.append(1, 1, [event(0)]);
    const other = new Database(path);
    other.exec("BEGIN IMMEDIATE");
    await expect(journal.append(1, 1, [event(1)])).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    expect(await journal.head(1)).toEqual({ oldest: 0, head: 0 });
    other.exec("ROLLBACK");
    other.close();
    expect(await journal.append(1, 1, [event(1)])).toEqual({ firstSeq: 1, lastSeq: 1 });
    await journal.close();
  });

  it("is fenced across processes: two journals over one file number one stream", async () => {
    const path = newPath();
    const [first, second] = [await open(path), await open(path)];
    await first.append(1, 1, [event(0)]);
    expect(await second.append(1, 2, [event(1)])).toEqual({ firstSeq: 1, lastSeq: 1 });
    await expect(first.append(1, 1, [event(2)])).rejects.toThrow(FencedError);
    expect((await first.read(1, null, 1000)).map(({ at }) => at)).toEqual([0, 1]);
    await Promise.all([first.close(), second.close()]);
  });
});

describe("the file", () => {
  it("is for its owner alone, with what lies beside it", async () => {
    const path = newPath();
    const journal = await open(path);
    await journal.append(1, 1, [event(0)]);
    for (const name of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(name).mode & 0o777).toBe(0o600);
    await journal.close();
  });

  it("may hold other tables, and be opened again and again", async () => {
    const path = newPath();
    meddle(path, "CREATE TABLE run (id TEXT); INSERT INTO run VALUES ('kept')");
    for (let n = 0; n < 3; n++) {
      const journal = await open(path);
      expect((await journal.append(1, 1, [event(n)])).firstSeq).toBe(n);
      await journal.close();
    }
    const db = new Database(path);
    expect(db.prepare("SELECT id FROM run").pluck().get()).toBe("kept");
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });

  it.each<[string, () => string, RegExp]>([
    ["is no database", () => written("x".repeat(5000)), /cannot be used: file is not a database$/],
    ["has no folder", () => join(dir, "none", "x.db"), /cannot be used: ENOENT/],
    ["is a folder", () => dir, /cannot be used: EISDIR/],
    ["is of a later version", later, /has version 99 of the journal, and this program knows 1/],
  ])("is refused when it %s", async (_what, make, message) => {
    await expect(open(make())).rejects.toThrow(message);
  });
});

function written(text: string): string {
  const path = newPath();
  writeFileSync(path, text);
  return path;
}

function later(): string {
  const path = newPath();
  meddle(path, "CREATE TABLE journal_version (version INTEGER); INSERT INTO journal_version VALUES (99)");
  return path;
}
