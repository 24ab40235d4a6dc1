import assert from "node:assert/strict";
import type { ContractCase } from "../contract/contract-case.ts";
import { eventually, within } from "../contract/within.ts";
import { events } from "./events.ts";
import type { JournalCase } from "./journal-case.ts";

const PATIENCE_MS = 10_000;

/** Cases of `watch`. */
export function watchCases(on: JournalCase): ContractCase[] {
  return [
    on("watch.after-commit", "calls back after the commit with a head that can be read", async (journal) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      journal.watch(1, (head) => {
        Promise.resolve(journal.read(1, head - 1, 1000)).then((page) => {
          if (page[0]?.seq === head) resolve();
          else reject(new Error(`head ${head} was announced before it could be read`));
        }, reject);
      });
      await journal.append(1, 1, events(3));
      await within(PATIENCE_MS, "the call of the watcher", promise);
    }),
    on("watch.not-in-call", "never calls back from inside the call of append", async (journal) => {
      let inside = true;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      journal.watch(1, () => (inside ? reject(new Error("called from inside append")) : resolve()));
      const pending = journal.append(1, 1, events(1));
      inside = false;
      await pending;
      await within(PATIENCE_MS, "the call of the watcher", promise);
    }),
    on("watch.rising", "reports heads that never fall, up to the last one", async (journal) => {
      const heads: number[] = [];
      journal.watch(1, (head) => heads.push(head));
      await Promise.all(Array.from({ length: 20 }, (_, i) => journal.append(1, 1, events(2, i * 2))));
      await eventually(PATIENCE_MS, "the last head", () => heads.at(-1) === 39);
      assert.deepEqual(
        heads,
        heads.toSorted((a, b) => a - b),
      );
    }),
    on("watch.own-stream", "reports the watched stream only, to each of its watchers", async (journal) => {
      const seen: Record<string, number[]> = { a: [], b: [], other: [] };
      journal.watch(1, (head) => seen.a?.push(head));
      journal.watch(1, (head) => seen.b?.push(head));
      journal.watch(2, (head) => seen.other?.push(head));
      await journal.append(1, 1, events(1));
      await eventually(PATIENCE_MS, "both watchers", () => seen.a?.at(-1) === 0 && seen.b?.at(-1) === 0);
      assert.deepEqual(seen.other, []);
    }),
    on("watch.stop", "calls nobody who has stopped, and stopping twice is harmless", async (journal) => {
      let stopped = 0;
      let others = -1;
      const stop = journal.watch(1, () => stopped++);
      stop();
      stop();
      journal.watch(1, (head) => {
        others = head;
      });
      await journal.append(1, 1, events(1));
      await eventually(PATIENCE_MS, "the other watcher", () => others === 0);
      assert.equal(stopped, 0);
    }),
  ];
}
