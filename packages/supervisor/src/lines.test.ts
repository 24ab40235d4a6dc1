import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, createNdjsonReader, type Line } from "./index.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function split(input: Uint8Array, maxBytes: number, cuts: readonly number[]): Line[] {
  const splitter = createLineSplitter({ maxBytes });
  const out: Line[] = [];
  let at = 0;
  for (const cut of [...cuts, input.length].map((cut) => Math.min(cut, input.length)).sort((a, b) => a - b)) {
    out.push(...splitter.push(input.subarray(at, cut)));
    at = cut;
  }
  const tail = splitter.end();
  return tail ? [...out, tail] : out;
}

/** The definition, without any chunks. */
function reference(input: Uint8Array, maxBytes: number): Line[] {
  const parts = Buffer.from(input)
    .toString("latin1")
    .split("\n")
    .map((part) => Buffer.from(part, "latin1"));
  return parts.flatMap((part, index): Line[] => {
    const last = index === parts.length - 1;
    if (part.length > maxBytes)
      return [{ kind: "too-long", maxBytes, head: part.toString("utf8", 0, Math.min(200, maxBytes)) }];
    if (last) return part.length > 0 ? [{ kind: "tail", text: part.toString("utf8") }] : [];
    return [{ kind: "line", text: part.toString("utf8") }];
  });
}

describe("createLineSplitter", () => {
  it("gives the same lines however the stream is cut", () => {
    const text = fc.array(fc.constantFrom("\n", "\r", "\u2028", "é", "漢", "🙂", "a", " ", "{}"), { maxLength: 60 });
    const raw = fc.uint8Array({ maxLength: 80 });
    const input = fc.oneof(
      text.map((parts) => bytes(parts.join(""))),
      raw,
    );
    const cuts = fc.array(fc.nat(120), { maxLength: 20 });
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 30 }), cuts, (data, maxBytes, at) => {
        expect(split(data, maxBytes, at)).toEqual(reference(data, maxBytes));
      }),
      { numRuns: 2_000 },
    );
  });

  it("keeps characters whole when every byte comes alone", () => {
    const text = '{"text":"naïve 漢字 🙂\u2028"}\n';
    const data = bytes(text);
    expect(split(data, 1_000, [...data.keys()])).toEqual([{ kind: "line", text: text.slice(0, -1) }]);
  });

  it("tells a line that never ends as soon as it is too long, once, and recovers at the next line", () => {
    const splitter = createLineSplitter({ maxBytes: 100_000 });
    expect(splitter.push(bytes("x".repeat(60_000)))).toEqual([]);
    expect(splitter.push(bytes("x".repeat(60_000)))).toMatchObject([{ kind: "too-long", maxBytes: 100_000 }]);
    expect(splitter.push(bytes("x".repeat(60_000)))).toEqual([]);
    expect(splitter.push(bytes("x\nok\n"))).toEqual([{ kind: "line", text: "ok" }]);
    expect(splitter.end()).toBeUndefined();
  });

  it("refuses a limit that is none", () => {
    expect(() => createLineSplitter({ maxBytes: 0 })).toThrow(RangeError);
  });
});

describe("createNdjsonReader", () => {
  it("reads values, tells other lines as text, and does not parse an unfinished one", () => {
    const reader = createNdjsonReader({ maxBytes: 40 });
    const noise = "\u001b[1mWelcome\u001b[0m";
    expect(reader.push(bytes(`{"a":1}\r\n${noise}\n\n  \nnull\n${"y".repeat(50)}\n12`))).toEqual([
      { kind: "value", value: { a: 1 } },
      { kind: "text", text: noise },
      { kind: "value", value: null },
      { kind: "too-long", maxBytes: 40, head: "y".repeat(40) },
    ]);
    expect(reader.end()).toEqual({ kind: "tail", text: "12" });
    expect(reader.end()).toBeUndefined();
  });
});
