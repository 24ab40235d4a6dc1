/** Price of a model in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Writing to the cache for five minutes. */
  readonly cacheWrite: number;
  /** Writing to the cache for an hour; `cacheWrite` when left out. */
  readonly cacheWrite1h?: number;
  /** Another price for prompts of more than so many tokens. */
  readonly longPrompt?: { readonly overTokens: number; readonly price: Omit<ModelPrice, "longPrompt"> };
}

/** Prices by model name, without date or `-latest`; `*` stands for every other model. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

/** Tokens of one model call. The four counters do not overlap. */
export interface CallTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** The part of `cacheWrite` that is kept for an hour. */
  readonly cacheWrite1h: number;
}

/** The sum of the four counters. */
export const totalTokens = (tokens: CallTokens): number =>
  tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;

const SUFFIX = /(?:-\d{8}|@\d{8}|-latest|\[1m\])+$/;

/** The price of a model, or `undefined` when the table does not have it. */
export function priceOf(table: PriceTable, model: string): ModelPrice | undefined {
  const name = model.replace(SUFFIX, "");
  for (const key of [model, name, "*"]) if (Object.hasOwn(table, key)) return table[key];
  return undefined;
}

/** What a call costs, in US dollars. */
export function costOf(price: ModelPrice, tokens: CallTokens): number {
  const prompt = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const { longPrompt } = price;
  const rate = longPrompt && prompt > longPrompt.overTokens ? longPrompt.price : price;
  const short = tokens.cacheWrite - tokens.cacheWrite1h;
  const sum =
    tokens.input * rate.input +
    tokens.output * rate.output +
    tokens.cacheRead * rate.cacheRead +
    short * rate.cacheWrite +
    tokens.cacheWrite1h * (rate.cacheWrite1h ?? rate.cacheWrite);
  return sum / 1_000_000;
}
