import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMasker } from "./index.ts";

const SECRET = "Tr0ub4dor&3 extra";
const masker = createMasker({ secrets: [SECRET] });

describe("any text", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(
        fc.constantFrom("sk-ant-", "ghp_", "AKIA", "-----BEGIN", "[masked:", "]", "=", '"', "\\", "\ud800", "é", "\n"),
        { maxLength: 30 },
      )
      .map((all) => all.join("")),
  );

  it("keeps nothing of a secret that it holds, and is masked once and for all", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const masked = masker.text(`${before} ${SECRET} ${after}`);
        expect(masked).not.toContain(SECRET);
        expect(masker.text(masked)).toBe(masked);
      }),
    );
  });

  it("is found where it is masked", () => {
    fc.assert(
      fc.property(text, (input) => {
        let end = 0;
        for (const one of masker.find(input)) {
          expect(one.start).toBeGreaterThanOrEqual(end);
          expect(one.end).toBeGreaterThan(one.start);
          end = one.end;
        }
        expect(end).toBeLessThanOrEqual(input.length);
      }),
    );
  });
});

describe("any JSON value", () => {
  it("keeps its shape", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const keysOf = (one: unknown): unknown =>
          typeof one !== "object" || one === null
            ? typeof one
            : Object.entries(one).map(([key, inner]) => [key, keysOf(inner)]);
        expect(keysOf(masker.json(value))).toEqual(keysOf(value));
      }),
    );
  });

  it("is masked to its end, deep or wide", () => {
    let deep: unknown = SECRET;
    for (let i = 0; i < 1000; i++) deep = i % 2 ? [deep] : { deep };
    expect(JSON.stringify(masker.json(deep))).not.toContain(SECRET);
    const wide = Array.from({ length: 100_000 }, (_, i) => (i % 1000 ? "x" : SECRET));
    expect(masker.json(wide).includes(SECRET)).toBe(false);
  });
});
