import { describe, expect, it } from "vitest";
import { ReaderLags } from "./reader-lags.ts";

const MIB = 1024 * 1024;

describe("reader lags", () => {
  it("holds a producer for a live reader that is more than 8 MiB behind, until it has caught up", async () => {
    const lags = new ReaderLags({ bytes: 8 * MIB, ms: 200 });
    let position = 0;
    lags.add({ position: () => position });
    expect(lags.hold(8 * MIB)).toBeUndefined();
    expect(lags.hold(8 * MIB + 1)).toBeUndefined();
    const hold = lags.hold(9 * MIB);
    expect(hold).toBeInstanceOf(Promise);
    position = 2 * MIB;
    await hold;
    expect(lags.hold(9.5 * MIB)).toBeUndefined();
  });

  it("waits for a reader that does not move only once", async () => {
    const lags = new ReaderLags({ bytes: 8 * MIB, ms: 200 });
    const probe = { position: () => 0 };
    lags.add(probe);
    await lags.hold(9 * MIB);
    expect(lags.hold(100 * MIB)).toBeUndefined();
    lags.add(probe);
    expect(lags.hold(101 * MIB)).toBeInstanceOf(Promise);
    lags.remove(probe);
  });
});
