import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { tickTime } from "./tick-time.ts";

describe("the time of a tick", () => {
  it("stands still within a tick and is the clock's in the next", async () => {
    await nextTick();
    const clock = vi.spyOn(Date, "now").mockReturnValueOnce(1000).mockReturnValueOnce(2000);
    expect([tickTime(), tickTime()]).toEqual([1000, 1000]);
    await nextTick();
    expect(tickTime()).toBe(2000);
    clock.mockRestore();
    await nextTick();
  });
});
