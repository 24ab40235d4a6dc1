import { DEFAULT_LIMITS } from "@computeragent/harness-server/settings";
import { describe, expect, it } from "vitest";
import { limitsFrom } from "./limit-flags.ts";

describe("limitsFrom", () => {
  it("reads names and values, the last one counts", () => {
    expect(limitsFrom([], DEFAULT_LIMITS)).toEqual({});
    const flags = ["maxFileBytes=4294967296", "maxReaders=3", "maxReaders=4"];
    expect(limitsFrom(flags, DEFAULT_LIMITS)).toEqual({ maxFileBytes: 4_294_967_296, maxReaders: 4 });
  });

  it.each(["nonsense=1", "maxReaders", "maxReaders=", "maxReaders=-1", "maxReaders=1.5", "toString=1", "=1", ""])(
    "refuses %j and lists the names",
    (flag) => {
      expect(() => limitsFrom([flag], DEFAULT_LIMITS)).toThrow(/NAME=VALUE.*maxFileBytes/);
    },
  );

  it("refuses 0", () => {
    expect(() => limitsFrom(["maxReaders=0"], DEFAULT_LIMITS)).toThrow("above 0");
  });
});
