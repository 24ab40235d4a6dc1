import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "./json-body.ts";
import { MAX_DEPTH, MAX_VALUES, scanJson } from "./json-scan.ts";

/** The members and elements of a value, and how deep it nests. */
function measure(value: unknown): { values: number; depth: number } {
  if (typeof value !== "object" || value === null) return { values: 0, depth: 0 };
  const inner = Object.values(value).map(measure);
  return {
    values: Math.max(1, inner.length) + inner.reduce((sum, one) => sum + one.values, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
  };
}

const nested = (levels: number, body = "1"): string => `${"[".repeat(levels)}${body}${"]".repeat(levels)}`;

describe("JSON before it is parsed", () => {
  it("is let through where it is small, whatever its strings hold", async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 6 }), async (text) => {
        expect(await scanJson(Buffer.from(text))).toBeUndefined();
        expect(await parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("is refused for its depth and its number of values exactly", async () => {
    const string = fc.constantFrom(...'"\\[{,]éa').map((char) => JSON.stringify(char));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 * MAX_DEPTH }), string, async (levels, inner) => {
        const text = nested(levels, inner);
        expect(await scanJson(Buffer.from(text))).toBe(
          measure(JSON.parse(text)).depth > MAX_DEPTH ? "deep" : undefined,
        );
      }),
    );
    const list = (count: number) => Buffer.from(JSON.stringify(Array.from({ length: count }, () => '",[')));
    expect(await scanJson(list(MAX_VALUES))).toBeUndefined();
    expect(await scanJson(list(MAX_VALUES + 1))).toBe("many");
  });

  it("is read or refused with VALIDATION, whatever the bytes are", async () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      ",",
      ":",
      "1",
      "true",
      "null",
      " ",
      "\u2028",
      "1e999",
      '"__proto__":',
    );
    const soup = fc.array(token, { maxLength: 400 }).map((tokens) => Buffer.from(tokens.join("")));
    await fc.assert(
      fc.asyncProperty(fc.oneof(soup, fc.uint8Array({ maxLength: 400 })), async (bytes) => {
        const error: unknown = await parseJson(bytes).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(WireError.isInstance(error) && error.code).toBe("VALIDATION");
      }),
    );
  });

  it("is looked through to its end when a string goes over many slices", async () => {
    const long = '\\"[,'.repeat(3_000_000);
    expect(await scanJson(Buffer.from(`["${long}"]`))).toBeUndefined();
    expect(await scanJson(Buffer.from(`["${long}",${nested(200)}]`))).toBe("deep");
  });
});
