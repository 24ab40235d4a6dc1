import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Turns } from "./turns.ts";

/** Keeps the thread busy, as a slow write does. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** `count` that each work for `ms` when it is their turn; `done` says which have. */
function workers(turns: Turns, count: number, ms: number): number[] {
  const done: number[] = [];
  for (let i = 0; i < count; i++) {
    const work = (): void => {
      busy(ms);
      done.push(i);
    };
    const turn = turns.take();
    if (turn) void turn.then(work);
    else work();
  }
  return done;
}

const all = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("taking turns", () => {
  it("lets quick ones go on at once", () => {
    expect(workers(new Turns(), 100, 0)).toEqual(all(100));
  });

  it("lets others run between slow ones, in order, and leaves none out", async () => {
    const done = workers(new Turns(), 50, 3);
    const seen: number[] = [];
    while (done.length < 50) {
      seen.push(done.length);
      await nextTick();
    }
    expect(seen[0]).toBeLessThan(50);
    expect(Math.max(...seen.map((now, i) => now - (seen[i - 1] ?? 0)))).toBeLessThanOrEqual(8);
    expect(done).toEqual(all(50));
  });

  it("lets nobody pass those who wait", async () => {
    const turns = new Turns();
    const slow = workers(turns, 20, 3);
    await nextTick();
    const seen: number[] = [];
    const late = turns.take();
    void late?.then(() => seen.push(slow.length));
    while (seen.length === 0) await nextTick();
    expect(seen).toEqual([20]);
  });

  it("begins anew when all have been", async () => {
    const turns = new Turns();
    const done = workers(turns, 20, 3);
    while (done.length < 20) await nextTick();
    for (let i = 0; i < 3; i++) await nextTick();
    expect(turns.take()).toBeUndefined();
  });
});
