import type { EventJournal, NewEvent } from "@computeragent/protocol";
import { createMasker } from "@computeragent/redaction";
import { describe, expect, it } from "vitest";
import { createMemoryJournal } from "../journal/memory.ts";
import { EventLog } from "./event-log.ts";

/** A journal whose commits wait until they are let through. */
function slowJournal() {
  const memory = createMemoryJournal();
  const gates: PromiseWithResolvers<void>[] = [];
  const batches: (readonly NewEvent[])[] = [];
  const journal: EventJournal = {
    ...memory,
    async append(stream, fence, events) {
      batches.push(events);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return memory.append(stream, fence, events);
    },
  };
  return {
    journal,
    batches,
    pass: () => gates.shift()?.resolve(),
    fail: () => gates.shift()?.reject(new Error("full")),
  };
}

const open = (journal: EventJournal, onFailure: (error: unknown) => void = () => {}) =>
  new EventLog({ journal, stream: 1, fence: 1, masker: createMasker(), hold: { bytes: 1e9, ms: 0 }, onFailure });
const tick = () => new Promise((resolve) => setTimeout(resolve, 5));

describe("the event log", () => {
  it("commits what waits in one batch, and hands plain events to the journal", async () => {
    const { journal, batches, pass } = slowJournal();
    const log = open(journal);
    const seen: number[] = [];
    for (let n = 0; n < 5; n++) log.emit("ca_notice", { n }, (seq) => seen.push(seq));
    pass();
    await tick();
    pass();
    expect(await log.committed()).toBe(true);
    expect(batches.map((batch) => batch.length)).toEqual([1, 4]);
    expect(seen).toEqual([0, 1, 2, 3, 4]);
    expect(structuredClone(batches)).toEqual(batches);
  });

  it("tells when everything so far is committed, not when a busy log is idle", async () => {
    const { journal, pass } = slowJournal();
    const log = open(journal);
    log.message({ n: 0 });
    const first = log.committed();
    log.message({ n: 1 });
    pass();
    expect(await first).toBe(true);
    expect(log.tail.head).toBe(0);
  });

  it("makes producers wait while commits are far behind", async () => {
    const { journal, pass } = slowJournal();
    const log = open(journal);
    expect(log.message({ text: "x".repeat(1000) })).toBeUndefined();
    const wait = log.message({ text: "x".repeat(5_000_000) });
    let passed = false;
    void wait?.then(() => {
      passed = true;
    });
    pass();
    await tick();
    expect(passed).toBe(false);
    pass();
    await wait;
    expect(log.message({ text: "x" })).toBeUndefined();
  });

  it("records nothing more once a commit failed, and says so once", async () => {
    const { journal, fail } = slowJournal();
    const failures: unknown[] = [];
    const log = open(journal, (error) => failures.push(error));
    log.message({ n: 0 });
    log.message({ n: 1 });
    const committed = log.committed();
    fail();
    expect(await committed).toBe(false);
    log.message({ n: 2 });
    expect([log.dropped, failures.length, log.tail.ended, log.tail.head]).toEqual([3, 1, true, -1]);
    expect(await log.committed()).toBe(false);
    await log.seal();
  });

  it("counts what comes after the end", async () => {
    const log = open(createMemoryJournal());
    log.emit("ca_session_ended", {});
    await log.seal();
    log.message({ late: true });
    log.emit("ca_notice", {});
    expect([log.dropped, log.tail.head]).toEqual([2, 0]);
  });
});
