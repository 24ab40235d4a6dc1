import assert from "node:assert/strict";
import type { EventJournal } from "@computeragent/protocol";
import { FencedError } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import { events, plain, readAll, stored } from "./events.ts";
import type { JournalCase, JournalExtras } from "./journal-case.ts";

/** Cases of `drop` and `close`. */
export function lifeCases(on: JournalCase): ContractCase[] {
  return [
    on("drop.stream", "drops a stream wholly and leaves the others alone", async (journal) => {
      await journal.append(1, 1, events(3));
      await journal.append(2, 1, events(2));
      await journal.drop(1);
      assert.deepEqual(await journal.head(1), { oldest: null, head: null });
      assert.deepEqual(plain(await readAll(journal, 1)), []);
      assert.deepEqual(plain(await readAll(journal, 2)), stored(events(2)));
      await journal.drop(12_345);
    }),
    on("close.pending", "finishes what was appended before close, and rejects what comes after", async (journal) => {
      const pending = [journal.append(1, 1, events(2)), journal.append(1, 1, events(2, 2))];
      const closing = journal.close();
      const late = journal.append(1, 1, events(1, 4)).then(
        () => "stored",
        () => "rejected",
      );
      assert.deepEqual(
        (await Promise.all(pending)).map((p) => p.firstSeq),
        [0, 2],
      );
      await closing;
      assert.equal(await late, "rejected");
      await assert.rejects(journal.append(1, 1, events(1)));
      await assert.rejects(async () => journal.read(1, null, 100));
      await assert.rejects(async () => journal.head(1));
    }),
    on("close.twice", "may be closed twice", async (journal) => {
      await journal.close();
      await journal.close();
    }),
  ];
}

/** Cases of adapters whose storage can fail or outlives the process. */
export function storageCases(on: JournalCase, extras: JournalExtras): ContractCase[] {
  const { failNextCommit, reopen } = extras;
  const cases: ContractCase[] = [];
  if (failNextCommit) {
    cases.push(
      on(
        "storage.error",
        "leaves nothing of a batch that the storage refused, and works again after",
        async (journal) => {
          await journal.append(1, 1, events(2));
          await failNextCommit(journal);
          await assert.rejects(journal.append(1, 1, events(3, 50)), (error) => !(error instanceof FencedError));
          assert.deepEqual(plain(await readAll(journal, 1)), stored(events(2)));
          assert.deepEqual(await journal.append(1, 1, events(1, 2)), { firstSeq: 2, lastSeq: 2 });
          assert.deepEqual(plain(await readAll(journal, 1)), stored(events(3)));
        },
      ),
    );
  }
  if (reopen) {
    cases.push(
      on("storage.reopen", "has events, numbers and fences again after it was reopened", async (journal) => {
        assert.equal(journal.durable, true);
        await journal.append(1, 3, events(4));
        const again: EventJournal = await reopen(journal);
        try {
          assert.deepEqual(plain(await readAll(again, 1)), stored(events(4)));
          await assert.rejects(again.append(1, 2, events(1)), FencedError);
          assert.deepEqual(await again.append(1, 3, events(1, 4)), { firstSeq: 4, lastSeq: 4 });
        } finally {
          await again.close();
        }
      }),
    );
  }
  return cases;
}
