import type { ModelPrice, PriceTable } from "./price.ts";

/** The day on which the list prices below were current. */
export const PRICES_AS_OF = "2026-11-30";

/** Input and output in dollars per million tokens; reading the cache as a share of input. Cache writes are 1.25 and 2 times input. */
function price(input: number, output: number, cacheReadShare = 0.1): ModelPrice {
  return { input, output, cacheRead: input * cacheReadShare, cacheWrite: input * 1.25, cacheWrite1h: input * 2 };
}

/** Anthropic's list prices. */
export const ANTHROPIC_PRICES: PriceTable = {
  "claude-fable-5-1": price(10, 50, 0.025),
  "claude-mythos-5-1": price(10, 50, 0.025),
  "claude-fable-5": price(10, 50),
  "claude-mythos-5": price(10, 50),
  "claude-opus-5-5": price(4, 20, 0.05),
  "claude-opus-5": price(5, 25),
  "claude-opus-4-8": price(5, 25),
  "claude-opus-4-7": price(5, 25),
  "claude-opus-4-6": price(5, 25),
  "claude-opus-4-5": price(5, 25),
  "claude-opus-4-1": price(15, 75),
  "claude-opus-4": price(15, 75),
  "claude-sonnet-5-5": price(2, 10, 0.05),
  "claude-sonnet-5": price(2, 10),
  "claude-sonnet-4-6": price(3, 15),
  "claude-sonnet-4-5": price(3, 15),
  "claude-sonnet-4": price(3, 15),
  "claude-haiku-5-5": { ...price(0.1, 0.5), longPrompt: { overTokens: 100_000, price: price(0.5, 2.5) } },
  "claude-haiku-4-5": price(1, 5),
};

/** The dearest output price, in dollars per million tokens: what a token of a model without a price counts for. */
export const DEAREST_OUTPUT = Math.max(...Object.values(ANTHROPIC_PRICES).map((item) => item.output));
