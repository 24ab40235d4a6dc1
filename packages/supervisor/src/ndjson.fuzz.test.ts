import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNdjsonReader, type NdjsonItem } from "./ndjson.ts";

const MAX = 200;

function readAll(bytes: Uint8Array, cuts: readonly number[]): NdjsonItem[] {
  const reader = createNdjsonReader({ maxBytes: MAX });
  const items: NdjsonItem[] = [];
  let from = 0;
  for (const cut of [...cuts].sort((a, b) => a - b)) {
    items.push(...reader.push(bytes.subarray(from, Math.min(cut, bytes.length))));
    from = Math.min(cut, bytes.length);
  }
  items.push(...reader.push(bytes.subarray(from)));
  const last = reader.end();
  return last ? [...items, last] : items;
}

describe("lines of JSON", () => {
  const cuts = fc.array(fc.nat(600), { maxLength: 20 });

  it("come back as they were written, however they are cut", () => {
    const values = fc.array(fc.jsonValue({ maxDepth: 2 }).filter((one) => JSON.stringify(one).length < MAX / 4));
    fc.assert(
      fc.property(values, cuts, (all, at) => {
        const text = all.map((value) => `${JSON.stringify(value)}\n`).join("");
        const items = readAll(Buffer.from(text), at);
        expect(items).toEqual(all.map((value) => ({ kind: "value", value: JSON.parse(JSON.stringify(value)) })));
      }),
    );
  });

  it("may be anything, and give the same however they are cut", () => {
    const soup = fc
      .array(fc.constantFrom("{", "}", '"', "\\", "\n", "\r", "\u2028", "1", "null", "\u001b[0m", " "))
      .map((all) => Buffer.from(all.join("")));
    fc.assert(
      fc.property(fc.oneof(soup, fc.uint8Array({ maxLength: 600 })), cuts, (bytes, at) => {
        expect(readAll(bytes, at)).toEqual(readAll(bytes, []));
      }),
    );
  });

  it.each(["\n", "a", "[", '"', "1\n", "\r"])("are read to the end, 1 MB of %j byte by byte", (piece) => {
    const reader = createNdjsonReader({ maxBytes: 2_000_000 });
    const bytes = Buffer.from(piece.repeat(1_000_000 / piece.length));
    let count = 0;
    for (let i = 0; i < bytes.length; i++) count += reader.push(bytes.subarray(i, i + 1)).length;
    count += reader.end() ? 1 : 0;
    expect(count).toBe(piece === "1\n" ? 500_000 : piece === "\n" ? 0 : 1);
  });
});
