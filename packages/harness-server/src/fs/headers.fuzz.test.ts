import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRange } from "./byte-range.ts";
import { parseTags } from "./preconditions.ts";
import { parsePath, toBytes } from "./rel-path.ts";
import { decodeCursor, encodeCursor } from "./tree-cursor.ts";

const CODES = ["VALIDATION", "PATH_ESCAPE"];

/** What a reader gives, or undefined where it refuses; anything but a refusal fails. */
function read<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!WireError.isInstance(error) || !CODES.includes(error.code)) throw error;
    return undefined;
  }
}

const soup = (...words: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((all) => all.join("")),
    fc.string({ unit: "binary" }),
  );

describe("what a file request says", () => {
  it("as a range is inside the file, or none", () => {
    const header = soup("bytes", "=", "-", " ", "\t", "0", "1", "99999999999999999999", ",", "BYTES", "+");
    fc.assert(
      fc.property(header, fc.nat(1000), (text, size) => {
        const range = parseRange(text, size);
        if (range === null || range === "unsatisfiable") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThan(range.end);
        expect(range.end).toBeLessThanOrEqual(size);
      }),
    );
  });

  it("as a tag is a list of tags, or refused", () => {
    fc.assert(
      fc.property(soup('"', "W/", "*", ",", " ", "a", '"b"', "\\"), (text) => {
        const tags = read(() => parseTags(text));
        if (tags !== undefined && tags !== "*") expect(tags.length).toBeGreaterThan(0);
      }),
    );
  });

  it("as a path stays below the root, or is refused", () => {
    fc.assert(
      fc.property(soup("..", ".", "/", "a", "\0", "\\", "~", "\ud800", "\ufffd", " ", "é"), (text) => {
        const path = read(() => parsePath(text));
        for (const name of path?.names ?? []) {
          expect(["", ".", ".."]).not.toContain(name);
          expect(name).not.toMatch(/[/\0]/);
        }
        if (path) expect(parsePath(path.shown)).toEqual(path);
      }),
    );
  });

  it("as a cursor comes back as it was given, or is refused", () => {
    const names = fc.array(
      fc
        .string({ unit: "grapheme", minLength: 1 })
        .filter((name) => !/[/\0]/.test(name))
        .map(toBytes),
      { minLength: 1 },
    );
    fc.assert(fc.property(names, (all) => void expect(decodeCursor(encodeCursor(all))).toEqual(all)));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const decoded = read(() => decodeCursor(text));
        if (decoded) expect(encodeCursor(decoded)).toBe(text);
      }),
    );
  });

  it.each([" ", "\t", "0", "-", '"', '"a",', "W/", "a", "/", "../", "a/", "\0", "="])(
    "is read to its end, 1 MB of %j",
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length);
      for (const before of ["bytes", "bytes=", "bytes=0", "bytes=0-", ""]) {
        expect(parseRange(before + text, 10)).not.toBe("");
        expect(parseRange(`${before}${text}x`, 10)).not.toBe("");
      }
      for (const reader of [parseTags, parsePath, decodeCursor]) expect(() => read(() => reader(text))).not.toThrow();
    },
  );
});
