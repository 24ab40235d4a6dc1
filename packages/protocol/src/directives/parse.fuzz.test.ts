import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDirectives } from "./parse.ts";

const NAMES = ["say", "write", "edit", "read", "bash", "tool", "ask", "stream", "nobody", "constructor", ""];

describe("directives", () => {
  it("are steps, or a text that is none, whatever stands in them", () => {
    const line = fc
      .tuple(fc.constantFrom(...NAMES), fc.oneof(fc.string({ unit: "binary" }), fc.json()))
      .map(([name, rest]) => `!${name} ${rest}`);
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n", "\r", "\n\n"), (lines, end) => {
        const steps = parseDirectives(lines.join(end));
        if (steps) expect(JSON.parse(JSON.stringify(steps))).toEqual(steps);
      }),
    );
  });

  it.each(NAMES)("!%s of 1 MB is read to its end", (name) => {
    for (const piece of ["a", " ", "\\", '"', "{", "[", "\\n", "=> ", "\n", "\t", "!"]) {
      const steps = parseDirectives(`!${name} ${piece.repeat(1_000_000 / piece.length)}`);
      expect(steps === null || steps.length > 0).toBe(true);
    }
  });

  it("are read to their end, 100 000 of them", () => {
    for (const name of NAMES) {
      const steps = parseDirectives(`!${name} a\n`.repeat(100_000));
      expect(steps === null || steps.length > 0).toBe(true);
    }
  });
});
