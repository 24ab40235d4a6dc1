import assert from "node:assert/strict";
import type { EventJournal, NewEvent } from "@computeragent/protocol";
import type { ContractCase } from "../contract/contract-case.ts";
import { event, plain, readAll, stored } from "./events.ts";
import type { JournalCase } from "./journal-case.ts";

/** A small generator of repeatable numbers below `limit` (xorshift). */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

interface Model {
  fence: number;
  readonly kept: NewEvent[];
}

async function play(journal: EventJournal, seed: number, base: number): Promise<void> {
  const roll = dice(seed);
  const models: Model[] = [0, 1, 2].map(() => ({ fence: 1, kept: [] }));
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < 120; n++) {
    const index = roll(3);
    const model = models[index];
    if (!model) continue;
    const fence = Math.max(1, model.fence + roll(4) - 1);
    const batch = Array.from({ length: 1 + roll(4) }, (_, i) => event(n * 10 + i, roll(200)));
    const appended = journal.append(base + index, fence, batch);
    if (fence < model.fence) pending.push(assert.rejects(appended));
    else {
      const firstSeq = model.kept.length;
      pending.push(appended.then((given) => assert.equal(given.firstSeq, firstSeq)));
      model.fence = fence;
      model.kept.push(...batch);
    }
    if (roll(5) === 0) await Promise.all(pending.splice(0));
  }
  await Promise.all(pending);
  for (const [index, model] of models.entries()) {
    assert.deepEqual(plain(await readAll(journal, base + index, 700)), stored(model.kept));
  }
}

/** Random but repeatable sequences, compared with a plain array. */
export function modelCases(on: JournalCase): ContractCase[] {
  return [
    on("model", "agrees with a plain array over random sequences of several owners and streams", async (journal) => {
      for (const [round, seed] of [7, 1_234_567, 99_999_999].entries()) await play(journal, seed, 10 + round * 10);
    }),
  ];
}
