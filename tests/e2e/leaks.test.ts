import { describe, expect, it } from "vitest";
import { leaks } from "../../bench/src/leaks.ts";

describe("200 sessions that came and went", { timeout: 120_000 }, () => {
  it("leave no process, file or descriptor in the real host", async () => {
    const { before, after } = await leaks([200]);
    const [last] = after;
    expect(last?.footprint.processes).toBe(before.processes);
    expect(last?.footprint.files).toBe(before.files);
    expect(last?.footprint.descriptors).toBeLessThanOrEqual(before.descriptors + 5);
    expect((last?.footprint.rssMiB ?? 0) - before.rssMiB).toBeLessThan(150);
  });
});
