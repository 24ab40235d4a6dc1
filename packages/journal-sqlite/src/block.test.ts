import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, eventsOf } from "./block.ts";

describe("blocks", () => {
  it("hold every event once and in order, whatever is in it", () => {
    const text = fc.string({ unit: "binary", maxLength: 50 });
    const event = fc.record({ type: text, at: fc.double({ noNaN: true, noDefaultInfinity: true }), data: text });
    fc.assert(
      fc.property(fc.array(event), fc.nat(), (events, first) => {
        const blocks = blocksOf(events);
        expect(blocks.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
        let seq = first;
        const read = blocks.flatMap((block) => {
          const part = eventsOf(block.events, seq);
          seq += block.count;
          return part;
        });
        expect(read).toEqual(events.map(({ type, at, data }, i) => ({ seq: first + i, type, data, at: at || 0 })));
      }),
    );
  });

  it("end where they get long, between two events", () => {
    const events = Array.from({ length: 10 }, (_, i) => ({ type: "e", at: i, data: "x".repeat(100_000) }));
    expect(blocksOf(events).map(({ count }) => count)).toEqual([3, 3, 3, 1]);
    expect(blocksOf([{ type: "e", at: 0, data: "x".repeat(1_000_000) }]).map(({ count }) => count)).toEqual([1]);
    expect(blocksOf([])).toEqual([]);
  });
});
