import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newId, SESSION_ID_PATTERN, uuidv7 } from "./index.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MAX_MS = 2 ** 48 - 1;

describe("ids", () => {
  it("are UUIDs of version 7 that carry the time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_MS }), (now) => {
        const id = uuidv7(now);
        expect(id).toMatch(UUID_V7);
        expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(now);
      }),
    );
  });

  it("sort by time", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_MS }), fc.integer({ min: 0, max: MAX_MS }), (a, b) => {
        fc.pre(a !== b);
        expect(uuidv7(a) < uuidv7(b)).toBe(a < b);
      }),
    );
  });

  it("differ within a millisecond", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => uuidv7(1))).size).toBe(10_000);
  });

  it("carry their prefix and are session ids", () => {
    for (const prefix of ["sess", "msg", "turn", "call", "host"] as const) {
      const id = newId(prefix);
      expect(id.startsWith(`${prefix}_`)).toBe(true);
      expect(id).toMatch(SESSION_ID_PATTERN);
    }
  });

  it.each(["", "a b", "a/b", "..", "ä", "a\n", "x".repeat(129)])("refuse %j as a session id", (id) => {
    expect(SESSION_ID_PATTERN.test(id)).toBe(false);
  });
});
