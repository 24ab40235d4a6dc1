import fc from "fast-check";
import { expect, it } from "vitest";
import { parseRange } from "./byte-range.ts";

it.each([
  ["bytes=0-0", 10, { start: 0, end: 1 }],
  ["bytes=0-", 10, { start: 0, end: 10 }],
  ["bytes=3-5", 10, { start: 3, end: 6 }],
  ["bytes=3-500", 10, { start: 3, end: 10 }],
  ["bytes=9-", 10, { start: 9, end: 10 }],
  ["bytes=-3", 10, { start: 7, end: 10 }],
  ["bytes=-300", 10, { start: 0, end: 10 }],
  [" BYTES = 1 - 2 ".trim(), 10, { start: 1, end: 3 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=99999999999999999999999-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-5", 0, "unsatisfiable"],
  ["bytes=5-3", 10, null],
  ["bytes=-", 10, null],
  ["bytes=0-1,3-4", 10, null],
  ["bytes=a-b", 10, null],
  ["bytes=1.5-3", 10, null],
  ["lines=0-1", 10, null],
  ["", 10, null],
  [undefined, 10, null],
])("reads %j of %i bytes as %j", (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

it("never leaves the file, whatever the header", () => {
  const header = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }))
      .map(([a, b]) => `bytes=${a}-${b}`),
    fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => `bytes=${a}-${b}`),
  );
  fc.assert(
    fc.property(header, fc.nat(15), (text, size) => {
      const range = parseRange(text, size);
      if (range === null || range === "unsatisfiable") return;
      expect(range.start).toBeGreaterThanOrEqual(0);
      expect(range.start).toBeLessThan(range.end);
      expect(range.end).toBeLessThanOrEqual(size);
    }),
  );
});
