import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WallClock } from "./wall-clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the wall clock", () => {
  it("counts turns, not the waiting between and in them", () => {
    const exceeded = vi.fn();
    const clock = new WallClock(1000, exceeded);
    clock.set({ turn: true });
    vi.advanceTimersByTime(400);
    clock.set({ waiting: true });
    vi.advanceTimersByTime(5000);
    clock.set({ waiting: false });
    vi.advanceTimersByTime(400);
    clock.set({ turn: false });
    vi.advanceTimersByTime(5000);
    clock.set({ turn: true });
    vi.advanceTimersByTime(199);
    expect(exceeded).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(exceeded).toHaveBeenCalledOnce();
  });

  it("can be longer than a timer", () => {
    const exceeded = vi.fn();
    const days = 30 * 24 * 3_600_000;
    const clock = new WallClock(days, exceeded);
    clock.set({ turn: true });
    vi.advanceTimersByTime(days - 1000);
    expect(exceeded).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1001);
    expect(exceeded).toHaveBeenCalledOnce();
  });

  it("holds no timer without a limit or a turn", () => {
    const clock = new WallClock(undefined, () => {});
    clock.set({ turn: true });
    const limited = new WallClock(1000, () => {});
    limited.set({ waiting: true });
    limited.set({ turn: true });
    limited.set({ waiting: false });
    limited.set({ turn: false });
    expect(vi.getTimerCount()).toBe(0);
  });
});
