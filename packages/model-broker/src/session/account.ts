import type { Billing, JsonObject, ModelRequest, Usage } from "@computeragent/protocol";
import { asCount, asText } from "../anthropic/json.ts";
import type { Metered } from "../anthropic/usage.ts";
import type { Logger } from "../logger.ts";
import { DEAREST_OUTPUT } from "../prices/anthropic.ts";
import { type CallTokens, costOf, type ModelPrice, type PriceTable, priceOf, totalTokens } from "../prices/price.ts";
import { type Demand, Gate } from "./gate.ts";

/** How the calls of a session are priced. */
export interface Pricing {
  readonly billing: Billing;
  /** Absent where calls cost no money that a table could tell: then a cap in dollars counts tokens. */
  readonly table?: PriceTable;
}

/** A limit that is used up, and how. */
export interface UsedUp {
  readonly limit: "maxTokens" | "maxBudgetUsd";
  readonly detail: string;
}

const BYTES_PER_TOKEN = 3;
const DEFAULT_MAX_TOKENS = 32_000;
const TOKEN_PRICE = DEAREST_OUTPUT / 1_000_000;

/** Counts what a session's model calls use, and holds them to its limits. */
export class Account {
  readonly #request: ModelRequest;
  readonly #pricing: Pricing;
  readonly #logger: Logger;
  readonly #gate: Gate;
  #tokens = 0;
  #usd = 0;
  #announced = false;
  #noticed = false;

  constructor(request: ModelRequest, pricing: Pricing, logger: Logger) {
    this.#request = request;
    this.#pricing = pricing;
    this.#logger = logger;
    const { maxTokens = Number.POSITIVE_INFINITY, maxBudgetUsd = Number.POSITIVE_INFINITY } = request.limits;
    this.#gate = new Gate({
      exhausted: () => this.usedUp() !== null,
      fits: (total) => this.#tokens + total.tokens <= maxTokens && this.#usd + total.usd <= maxBudgetUsd,
    });
  }

  /** Waits until a call may run; `null` = a limit is used up. Rejects with the signal's reason. */
  async admit(body: JsonObject, bytes: number, signal: AbortSignal): Promise<Demand | null> {
    const input = Math.ceil(bytes / BYTES_PER_TOKEN);
    const output = asCount(body.max_tokens, DEFAULT_MAX_TOKENS);
    const worst = { input: 0, output, cacheRead: 0, cacheWrite: input, cacheWrite1h: input };
    const model = asText(body.model);
    const demand = { tokens: input + output, usd: this.#charge(this.#price(model), model, worst) };
    return (await this.#gate.enter(demand, signal)) ? demand : null;
  }

  /** Counts a call and tells the session. `asked` is the model that the engine asked for. */
  record({ model, tokens }: Metered, asked: string, agentId: string | undefined): void {
    const { billing } = this.#pricing;
    const price = this.#price(model) ?? this.#price(asked);
    this.#tokens += totalTokens(tokens);
    this.#usd += this.#charge(price, asked, tokens);
    const cost = price ? costOf(price, tokens) : billing === "offline" ? 0 : undefined;
    const usage: Usage = {
      input_tokens: tokens.input,
      cache_read_input_tokens: tokens.cacheRead,
      cache_creation_input_tokens: tokens.cacheWrite,
      output_tokens: tokens.output,
      ...(cost === undefined ? {} : { cost_usd: cost }),
    };
    const call = { model: model || asked, usage, billing, ...(agentId === undefined ? {} : { agentId }) };
    this.#tell(() => this.#request.onUsage(call));
  }

  /** Ends a call that was admitted: others may follow, and a limit that is now used up is announced. */
  settle(demand: Demand): void {
    this.#gate.leave(demand);
    const used = this.usedUp();
    if (!used || this.#announced) return;
    this.#announced = true;
    this.#tell(() => this.#request.onExhausted(used.limit, used.detail));
  }

  /** The limit that is used up; `null` = calls are welcome. */
  usedUp(): UsedUp | null {
    const { maxTokens, maxBudgetUsd } = this.#request.limits;
    if (maxTokens !== undefined && this.#tokens >= maxTokens) {
      const detail = `The session's limit maxTokens (${maxTokens}) is used up: ${this.#tokens} tokens.`;
      return { limit: "maxTokens", detail };
    }
    if (maxBudgetUsd !== undefined && this.#usd >= maxBudgetUsd) {
      const detail = `The session's limit maxBudgetUsd (${maxBudgetUsd}) is used up: ${this.#usd.toFixed(4)} US dollars.`;
      return { limit: "maxBudgetUsd", detail };
    }
    return null;
  }

  /** Whether calls that cannot be metered have to be refused. */
  get limited(): boolean {
    const { maxTokens, maxBudgetUsd } = this.#request.limits;
    return maxTokens !== undefined || maxBudgetUsd !== undefined;
  }

  #price(model: string): ModelPrice | undefined {
    return this.#pricing.table && priceOf(this.#pricing.table, model);
  }

  /** What a call counts against the cap in dollars. */
  #charge(price: ModelPrice | undefined, model: string, tokens: CallTokens): number {
    if (price) return costOf(price, tokens);
    const cap = this.#request.limits.maxBudgetUsd;
    if (this.#pricing.billing === "offline" || cap === undefined) return 0;
    this.#noticeCap(model, cap);
    return totalTokens(tokens) * TOKEN_PRICE;
  }

  #noticeCap(model: string, cap: number): void {
    if (this.#noticed) return;
    this.#noticed = true;
    const allowed = Math.floor(cap / TOKEN_PRICE);
    const message = `There is no price for calls of ${model || "this model"}: each token counts as the dearest known output token ($${DEAREST_OUTPUT} per million), so that maxBudgetUsd ${cap} allows ${allowed} tokens.`;
    this.#tell(() => this.#request.onNotice("budget_counts_tokens", message));
  }

  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#logger.warn({ err: error, sessionId: this.#request.sessionId }, "a listener of the model broker failed");
    }
  }
}
