import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventJournal, StoredEvent } from "@computeragent/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { MemoryReference } from "../journal-memory-reference.test-support.ts";
import { SqliteProbe } from "../journal-sqlite-probe.test-support.ts";
import { journalContract } from "./journal-contract.ts";

const dir = mkdtempSync(join(tmpdir(), "ca-journal-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let files = 0;
const paths = new WeakMap<EventJournal, string>();
const open = (path: string): SqliteProbe => {
  const journal = new SqliteProbe(path);
  paths.set(journal, path);
  return journal;
};

const suites = {
  "memory reference": journalContract(() => new MemoryReference(), { trimming: (keep) => new MemoryReference(keep) }),
  "SQLite probe": journalContract(() => open(join(dir, `${files++}.db`)), {
    failNextCommit: (journal) => (journal as SqliteProbe).failNext(),
    reopen: async (journal) => {
      await journal.close();
      return open(paths.get(journal) ?? "");
    },
  }),
};

describe.each(Object.entries(suites))("%s", (_name, cases) => {
  for (const c of cases) it(`${c.id}: ${c.behaviour}`, c.run);
});

/** Each faulty journal must fail the named case. */
const faulty: Record<string, () => EventJournal> = {
  "journal.fence.older": () =>
    new (class extends MemoryReference {
      override append(...[stream, , events]: Parameters<EventJournal["append"]>) {
        return super.append(stream, 1, events);
      }
    })(),
  "journal.watch.not-in-call": () =>
    new (class extends MemoryReference {
      readonly #now = new Set<(head: number) => void>();
      override watch(_stream: number, onHead: (head: number) => void) {
        this.#now.add(onHead);
        return () => this.#now.delete(onHead);
      }
      override append(...args: Parameters<EventJournal["append"]>) {
        for (const watcher of this.#now) watcher(0);
        return super.append(...args);
      }
    })(),
  "journal.read.one": () =>
    new (class extends MemoryReference {
      override read(stream: number, after: number | null, maxBytes: number): readonly StoredEvent[] {
        return super.read(stream, after, maxBytes).filter((event) => event.data.length <= maxBytes);
      }
    })(),
  "journal.append.concurrent": () =>
    new (class extends MemoryReference {
      override async append(...args: Parameters<EventJournal["append"]>) {
        if (args[2].length === 1) await new Promise((resolve) => setImmediate(resolve));
        return super.append(...args);
      }
    })(),
};

describe("the suite notices", () => {
  it.each(Object.entries(faulty))("%s", async (id, make) => {
    const found = journalContract(make).find((c) => c.id === id);
    await expect(found?.run()).rejects.toThrow();
  });

  it("has one id per case", () => {
    const ids = suites["SQLite probe"].map((c) => c.id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
