import { describe, expect, it } from "vitest";
import { z } from "zod";
import { mapOf } from "../schema/text.ts";
import { checkLenient } from "./lenient.ts";
import { placeIn, toPointer } from "./pointer.ts";

const schema = z.strictObject({
  name: z.string(),
  inner: z.strictObject({ size: z.number() }).optional(),
  one: z
    .strictObject({ a: z.number().optional(), b: z.number().optional() })
    .refine((value) => Object.keys(value).length === 1, { error: "must have exactly one" })
    .optional(),
});

describe("checkLenient", () => {
  it("takes unknown keys out at every level and gives the rest", () => {
    const data = { name: "x", extra: 1, inner: { size: 1, more: { deep: 2 } }, one: { a: 1, c: 2 } };
    const result = checkLenient(schema, data);
    expect(result.value).toEqual({ name: "x", inner: { size: 1 }, one: { a: 1 } });
    expect(result.unknownKeys.map(toPointer).sort()).toEqual(["/extra", "/inner/more", "/one/c"]);
  });

  it("reports every violation, missing keys by their own place", () => {
    const result = checkLenient(schema, { inner: { size: "big" }, one: {}, extra: 1 });
    expect(result).not.toHaveProperty("value");
    expect(result.violations.map(({ path, message }) => [toPointer(path), message])).toEqual([
      ["/name", "is required"],
      ["/inner/size", "must be a number, not text"],
      ["/one", "must have exactly one"],
    ]);
    expect(result.unknownKeys).toEqual([["extra"]]);
  });

  it("refuses what is no object at all", () => {
    for (const data of [null, [], "text", 3]) expect(checkLenient(schema, data).violations).toHaveLength(1);
  });

  it("treats a key called __proto__ as unknown", () => {
    const result = checkLenient(schema, JSON.parse('{"name": "x", "__proto__": {"polluted": true}}'));
    expect(result.value).toEqual({ name: "x" });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("leaves no entry out of a map of any names: it is there, or it is refused", () => {
    const map = z.strictObject({ map: mapOf(z.string()) });
    expect(checkLenient(map, { map: { constructor: "a", b: "c" } }).value).toEqual({
      map: { constructor: "a", b: "c" },
    });
    expect(checkLenient(map, JSON.parse('{"map": {"__proto__": "x", "b": "c"}}')).violations).toEqual([
      { path: ["map", "__proto__"], message: "is no name that an entry can have" },
    ]);
  });
});

describe("pointers", () => {
  it("escape as RFC 6901 says", () => {
    expect(toPointer(["a/b", "c~d", 0, ""])).toBe("/a~1b/c~0d/0/");
    expect(toPointer([])).toBe("");
    expect(placeIn("agent.yaml", ["runtime", "timeout"])).toBe("agent.yaml#/runtime/timeout");
  });
});
