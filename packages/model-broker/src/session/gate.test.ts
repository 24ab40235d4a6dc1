import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Demand, Gate } from "./gate.ts";

const never = new AbortController().signal;
const tokens = (count: number): Demand => ({ tokens: count, usd: 0 });

/** A gate that holds to a number of tokens. */
function gateOf(limit: number) {
  const state = { used: 0 };
  const gate = new Gate({
    exhausted: () => state.used >= limit,
    fits: (total) => state.used + total.tokens <= limit,
  });
  return { gate, state };
}

const settled = async (promise: Promise<boolean>): Promise<boolean | "waiting"> =>
  Promise.race([promise, new Promise<"waiting">((resolve) => setImmediate(() => resolve("waiting")))]);

describe("Gate", () => {
  it("lets calls in side by side while their worst case fits, and one alone when it does not", async () => {
    const { gate, state } = gateOf(100);
    const [small, other, big] = [tokens(40), tokens(60), tokens(500)];
    expect(await settled(gate.enter(small, never))).toBe(true);
    expect(await settled(gate.enter(other, never))).toBe(true);
    const waiting = gate.enter(big, never);
    const behind = gate.enter(tokens(1), never);
    expect([await settled(waiting), await settled(behind)]).toEqual(["waiting", "waiting"]);
    gate.leave(small);
    expect(await settled(waiting)).toBe("waiting");
    gate.leave(other);
    expect(await settled(waiting)).toBe(true);
    state.used = 100;
    gate.leave(big);
    expect(await settled(behind)).toBe(false);
  });

  it("lets a caller that has gone out of the queue", async () => {
    const { gate } = gateOf(10);
    const inside = tokens(50);
    await gate.enter(inside, never);
    const gone = new AbortController();
    const waiting = gate.enter(tokens(50), gone.signal);
    const behind = gate.enter(tokens(50), never);
    gone.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(gate.enter(tokens(1), gone.signal)).rejects.toThrow("gone");
    gate.leave(inside);
    expect(await settled(behind)).toBe(true);
  });

  it("never lets more than one call overshoot, and keeps nobody waiting for ever", async () => {
    const call = fc.record({
      worst: fc.integer({ min: 1, max: 80 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 200 }),
        async (calls, limit) => {
          const { gate, state } = gateOf(limit);
          let crossed = 0;
          const run = async ({ worst, share }: { worst: number; share: number }): Promise<void> => {
            const demand = tokens(worst);
            if (!(await gate.enter(demand, never))) return;
            await Promise.resolve();
            const before = state.used;
            state.used += Math.ceil(worst * share);
            if (before < limit && state.used > limit) crossed++;
            if (before >= limit) crossed += 2;
            gate.leave(demand);
          };
          await Promise.all(calls.map(run));
          expect(crossed).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
