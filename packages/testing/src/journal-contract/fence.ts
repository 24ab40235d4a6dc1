import assert from "node:assert/strict";
import { FencedError } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import { events, plain, readAll, stored } from "./events.ts";
import type { JournalCase } from "./journal-case.ts";

const fenced = (stream: number) => (error: unknown) => error instanceof FencedError && error.stream === stream;

/** Cases of the fence. */
export function fenceCases(on: JournalCase): ContractCase[] {
  return [
    on("fence.older", "refuses an older owner with FencedError and stores nothing of it", async (journal) => {
      await journal.append(1, 5, events(2));
      await assert.rejects(journal.append(1, 4, events(3, 50)), fenced(1));
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(2)));
      assert.deepEqual(await journal.append(1, 5, events(1, 2)), { firstSeq: 2, lastSeq: 2 });
    }),
    on("fence.newer", "lets a newer owner take over and locks the older one out", async (journal) => {
      await journal.append(1, 1, events(1));
      assert.deepEqual(await journal.append(1, 2, events(1, 1)), { firstSeq: 1, lastSeq: 1 });
      await assert.rejects(journal.append(1, 1, events(1, 9)), fenced(1));
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(2)));
    }),
    on("fence.racing", "decides between owners in call order also when nothing is awaited", async (journal) => {
      const results = await Promise.allSettled([
        journal.append(1, 1, events(1)),
        journal.append(1, 2, events(1, 1)),
        journal.append(1, 1, events(1, 50)),
        journal.append(1, 2, events(1, 2)),
      ]);
      assert.deepEqual(
        results.map((r) => r.status),
        ["fulfilled", "fulfilled", "rejected", "fulfilled"],
      );
      assert.deepEqual(plain(await readAll(journal, 1)), stored(events(3)));
    }),
    on("fence.streams", "keeps the fences of streams apart", async (journal) => {
      await journal.append(1, 9, events(1));
      await journal.append(2, 1, events(1));
      await assert.rejects(journal.append(1, 8, events(1)), fenced(1));
      assert.equal((await journal.append(2, 1, events(1))).firstSeq, 1);
    }),
  ];
}
