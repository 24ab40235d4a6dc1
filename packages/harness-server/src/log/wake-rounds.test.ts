import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { WakeRounds } from "./wake-rounds.ts";

/** Keeps the thread busy, as a slow write does. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** `count` readers that each write for `ms` in a microtask after they are woken; `done` says which have. */
function readers(count: number, ms: number) {
  const done: number[] = [];
  const wakers = Array.from({ length: count }, (_, i) => () => {
    void Promise.resolve().then(() => {
      busy(ms);
      done.push(i);
    });
  });
  return { wakers, done };
}

describe("waking readers", () => {
  it("wakes quick ones all in one tick, in order", async () => {
    const { wakers, done } = readers(100, 0);
    new WakeRounds().wake(wakers);
    await nextTick();
    expect(done).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it("lets others run between slow ones, and leaves none out", async () => {
    const { wakers, done } = readers(50, 3);
    new WakeRounds().wake(wakers);
    const seen: number[] = [];
    while (done.length < 50) {
      await nextTick();
      seen.push(done.length);
    }
    expect(seen.length).toBeGreaterThan(2);
    expect(done).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it("wakes one that is called for again while it waits once, and a forgotten one not at all", async () => {
    const { wakers, done } = readers(40, 3);
    const rounds = new WakeRounds();
    rounds.wake(wakers);
    rounds.wake(wakers.slice(20));
    const [forgotten] = wakers.slice(30);
    if (forgotten) rounds.forget(forgotten);
    while (done.length < 39) await nextTick();
    await nextTick();
    expect(done).toEqual(Array.from({ length: 40 }, (_, i) => i).filter((i) => i !== 30));
  });
});
