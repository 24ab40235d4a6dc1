import { describe, expect, it } from "vitest";
import { ANTHROPIC_PRICES, DEAREST_OUTPUT } from "./anthropic.ts";
import { costOf, priceOf, totalTokens } from "./price.ts";

const tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };

describe("prices", () => {
  it("finds a model by its name, with or without a date", () => {
    const opus = ANTHROPIC_PRICES["claude-opus-4-5"];
    for (const name of [
      "claude-opus-4-5",
      "claude-opus-4-5-20251101",
      "claude-opus-4-5-latest",
      "claude-opus-4-5[1m]",
    ]) {
      expect(priceOf(ANTHROPIC_PRICES, name)).toBe(opus);
    }
    for (const name of ["claude-opus-4-5-fast", "gpt", "", "constructor"]) {
      expect(priceOf(ANTHROPIC_PRICES, name)).toBeUndefined();
    }
    expect(priceOf({ "*": { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }, "gpt")?.output).toBe(2);
  });

  it("costs what the client of the vendor says it costs", () => {
    // 100 000 tokens in and 10 000 out of claude-opus-5-5 were shown as $0.60.
    const opus = priceOf(ANTHROPIC_PRICES, "claude-opus-5-5");
    expect(opus && costOf(opus, { ...tokens, input: 100_000, output: 10_000 })).toBeCloseTo(0.6, 10);
    expect(opus && costOf(opus, { ...tokens, cacheRead: 1e6 })).toBeCloseTo(0.2, 10);
    expect(opus && costOf(opus, { ...tokens, cacheWrite: 1e6, cacheWrite1h: 4e5 })).toBeCloseTo(0.6 * 5 + 0.4 * 8, 10);
  });

  it("charges long prompts at their own price", () => {
    const haiku = priceOf(ANTHROPIC_PRICES, "claude-haiku-5-5");
    expect(haiku && costOf(haiku, { ...tokens, input: 100_000 })).toBeCloseTo(0.01, 10);
    expect(haiku && costOf(haiku, { ...tokens, input: 60_000, cacheRead: 60_000 })).toBeCloseTo(0.03 + 0.003, 10);
  });

  it("adds up all four counters, and knows the dearest output", () => {
    expect(totalTokens({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cacheWrite1h: 4 })).toBe(10);
    expect(DEAREST_OUTPUT).toBe(75);
  });
});
