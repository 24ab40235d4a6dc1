import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ifMatchHolds, ifNoneMatchHolds, parseTags } from "./preconditions.ts";

describe("parseTags", () => {
  it.each([
    ["*", "*"],
    [" * ", "*"],
    ['"a"', ["a"]],
    ['"a", W/"b","c,d"', ["a", "W/b", "c,d"]],
    ['""', [""]],
    ["bare", ["bare"]],
    ["one, two", ["one", "two"]],
    ['"a",', ["a"]],
  ])("reads %j", (header, tags) => {
    expect(parseTags(header)).toEqual(tags);
  });

  it.each(["", " ", '"a', '"a" "b"', ",", '"a\u0001"'])("refuses %j", (header) => {
    expect(() => parseTags(header)).toThrow("If-Match");
  });

  it("reads back every list of tags", () => {
    const tag = fc.string({ unit: fc.constantFrom("a", ",", "W", "/", "é", "1") });
    fc.assert(
      fc.property(fc.array(tag, { minLength: 1 }), (tags) => {
        expect(parseTags(tags.map((text) => `"${text}"`).join(", "))).toEqual(tags);
      }),
    );
  });
});

describe("conditions", () => {
  const has = async (tag: string) => tag === "now";

  it.each([
    ["*", true],
    ['"now"', true],
    ['"old", "now"', true],
    ['"old"', false],
    ['W/"now"', false],
  ])("If-Match %j", async (header, current) => {
    expect(await ifMatchHolds(header, has)).toBe(current);
    expect(await ifMatchHolds(header, null)).toBe(false);
  });

  it.each([
    ["*", false],
    ['"now"', false],
    ['W/"now"', false],
    ['"old", "now"', false],
    ['"old"', true],
  ])("If-None-Match %j", async (header, current) => {
    expect(await ifNoneMatchHolds(header, has)).toBe(current);
    expect(await ifNoneMatchHolds(header, null)).toBe(true);
  });
});
