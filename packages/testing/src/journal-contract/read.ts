import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import { event, events, plain, readAll, stored } from "./events.ts";
import type { JournalCase, JournalExtras } from "./journal-case.ts";

/** Cases of `read` and `head`. */
export function readCases(on: JournalCase): ContractCase[] {
  return [
    on("read.empty", "knows nothing of a stream without events", async (journal) => {
      assert.deepEqual(await journal.head(7), { oldest: null, head: null });
      assert.deepEqual(plain(await journal.read(7, null, 1000)), []);
      assert.deepEqual(plain(await journal.read(7, 12, 1000)), []);
    }),
    on("read.after", "reads what follows the cursor, nothing at the head and nothing beyond it", async (journal) => {
      await journal.append(1, 1, events(5));
      assert.deepEqual(plain(await journal.read(1, null, 65_536)), stored(events(5)));
      assert.deepEqual(plain(await journal.read(1, -1, 65_536)), stored(events(5)));
      assert.deepEqual(plain(await journal.read(1, 2, 65_536)), stored(events(2, 3), 3));
      assert.deepEqual(plain(await journal.read(1, 4, 65_536)), []);
      assert.deepEqual(plain(await journal.read(1, 400, 65_536)), []);
    }),
    on("read.pages", "cuts a page at about the bytes asked for and goes on without a hole", async (journal) => {
      const written = Array.from({ length: 40 }, (_, i) => event(i, 1000));
      await journal.append(1, 1, written);
      const page = await journal.read(1, null, 5000);
      assert.ok(page.length >= 3 && page.length <= 6, `${page.length} events of 1 kB for 5000 bytes`);
      assert.deepEqual(plain(await readAll(journal, 1, 5000)), stored(written));
    }),
    on("read.one", "gives at least one event, however small the page", async (journal) => {
      const written = [event(0, 5000), event(1), event(2, 5000)];
      await journal.append(1, 1, written);
      assert.equal((await journal.read(1, null, 1)).length, 1);
      assert.deepEqual(plain(await readAll(journal, 1, 1)), stored(written));
    }),
    on("read.committed", "shows an event only once its append has resolved or is about to", async (journal) => {
      const pending = journal.append(1, 1, events(3));
      const early = await journal.read(1, null, 65_536);
      assert.ok(early.length === 0 || early.length === 3, "a batch was visible in part");
      await pending;
      assert.equal((await journal.read(1, null, 65_536)).length, 3);
    }),
    on("read.snapshot", "gives pages that later appends do not change", async (journal) => {
      await journal.append(1, 1, events(2));
      const page = await journal.read(1, null, 65_536);
      await journal.append(1, 1, events(2, 2));
      assert.deepEqual(plain(page), stored(events(2)));
    }),
  ];
}

/** Cases of an adapter that drops old events. */
export function trimCases(on: JournalCase, keep: number, extras: JournalExtras): ContractCase[] {
  if (!extras.trimming) return [];
  return [
    on("trim.oldest", "after dropping old events it says so and reads from the oldest kept one", async (journal) => {
      const total = keep * 5;
      for (let n = 0; n < total; n++) await journal.append(1, 1, [event(n)]);
      const { oldest, head } = await journal.head(1);
      assert.equal(head, total - 1);
      assert.ok(oldest !== null && oldest > 0, `nothing was dropped: oldest is ${oldest}`);
      const kept = stored(events(total - oldest, oldest), oldest);
      assert.deepEqual(plain(await readAll(journal, 1)), kept);
      assert.deepEqual(plain(await journal.read(1, 0, 10_000_000)), kept, "a cursor older than the log");
      assert.deepEqual(await journal.append(1, 1, [event(total)]), { firstSeq: total, lastSeq: total });
    }),
  ];
}
