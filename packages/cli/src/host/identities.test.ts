import { describe, expect, it } from "vitest";
import { onceDone } from "./identities.ts";

describe("what is made at its first use", () => {
  it("is made once, also for two that ask at once", async () => {
    let made = 0;
    const get = onceDone(async () => ++made);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  it("is tried again after a failure", async () => {
    const outcomes = [() => Promise.reject(new Error("too many open files")), () => Promise.resolve("made")];
    const get = onceDone(async () => outcomes.shift()?.());
    await expect(get()).rejects.toThrow("too many open files");
    expect(await get()).toBe("made");
  });
});
