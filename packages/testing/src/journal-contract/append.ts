import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import { event, events, plain, readAll, stored } from "./events.ts";
import type { JournalCase } from "./journal-case.ts";

const ODD_TEXTS = [
  "line\u2028separator\u2029",
  "lone \ud800 and \udfff",
  "nul \u0000 in it",
  "\ufeffbom \u{1f600}",
  "'\";--",
];

/** Cases of `append`. */
export function appendCases(on: JournalCase): ContractCase[] {
  return [
    on("append.order", "appends in order, contiguous from 0, and says which numbers were given", async (journal) => {
      assert.deepEqual(await journal.append(1, 1, events(3)), { firstSeq: 0, lastSeq: 2 });
      assert.deepEqual(await journal.append(1, 1, events(1, 3)), { firstSeq: 3, lastSeq: 3 });
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(4)));
      assert.deepEqual(await journal.head(1), { oldest: 0, head: 3 });
    }),
    on("append.concurrent", "gives appends that were not awaited their numbers in call order", async (journal) => {
      const batches = Array.from({ length: 50 }, (_, i) => events(1 + (i % 3), i * 10));
      const given = await Promise.all(batches.map((batch) => journal.append(1, 1, batch)));
      let next = 0;
      for (const [i, { firstSeq, lastSeq }] of given.entries()) {
        assert.equal(firstSeq, next);
        assert.equal(lastSeq - firstSeq + 1, batches[i]?.length);
        next = lastSeq + 1;
      }
      assert.deepEqual(plain(await readAll(journal, 1)), stored(batches.flat()));
    }),
    on("append.streams", "numbers every stream by itself", async (journal) => {
      const given = await Promise.all([
        journal.append(1, 1, events(2)),
        journal.append(2, 1, events(1, 100)),
        journal.append(1, 1, events(1, 2)),
        journal.append(2_000_000_001, 9, events(1, 7)),
      ]);
      assert.deepEqual(
        given.map((g) => g.firstSeq),
        [0, 0, 2, 0],
      );
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(3)));
      assert.deepEqual(plain(await readAll(journal, 2)), stored(events(1, 100)));
    }),
    on("append.big", "keeps an event of 1 MB whole, next to small ones", async (journal) => {
      const batch = [event(0), event(1, 1_000_000), event(2)];
      await journal.append(1, 1, batch);
      assert.deepEqual(plain(await readAll(journal, 1)), stored(batch));
    }),
    on("append.text", "keeps odd characters of the data as they are", async (journal) => {
      const batch = ODD_TEXTS.map((text) => ({ type: "ca_notice", data: JSON.stringify({ text }), at: 1 }));
      await journal.append(1, 1, batch);
      const read = await readAll(journal, 1);
      assert.deepEqual(plain(read), stored(batch));
      assert.deepEqual(
        read.map((e) => JSON.parse(e.data).text),
        ODD_TEXTS,
      );
    }),
    on("append.copy", "is not changed by what the caller does with its array afterwards", async (journal) => {
      const batch = events(2);
      const pending = journal.append(1, 1, batch);
      batch.length = 0;
      await pending;
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(2)));
    }),
  ];
}
