import type { Billing, Limits, ModelCallUsage, Usage } from "@computeragent/protocol";

const ZERO: Usage = {
  input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  output_tokens: 0,
};

/** Sum of two usages. The cost is known only if it is known for both, where a usage without tokens counts as free. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = costOf(a) === undefined || costOf(b) === undefined ? undefined : (costOf(a) ?? 0) + (costOf(b) ?? 0);
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    ...(cost === undefined ? {} : { cost_usd: cost }),
  };
}

/** All four counters together. */
export function totalTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens + usage.output_tokens;
}

function costOf(usage: Usage): number | undefined {
  return usage.cost_usd ?? (totalTokens(usage) === 0 ? 0 : undefined);
}

/** Usage of the running turn and of the session, from the broker's calls or, without a broker, from the engine. */
export class UsageMeter {
  session: Usage = ZERO;
  billing: Billing = "unknown";
  #turn: Usage = ZERO;
  #seen = false;

  /** A model call that the broker saw. */
  add(call: ModelCallUsage): void {
    this.billing = call.billing;
    this.#seen = true;
    this.#turn = addUsage(this.#turn, call.usage);
    this.session = addUsage(this.session, call.usage);
  }

  /** Ends the turn and returns its usage; the engine's own figure counts only if the broker saw no call. */
  endTurn(reported: Usage | undefined): Usage {
    if (!this.#seen && reported) {
      this.#turn = addUsage(this.#turn, reported);
      this.session = addUsage(this.session, reported);
    }
    const turn = this.#turn;
    this.#turn = ZERO;
    this.#seen = false;
    return turn;
  }
}

/** The limit that a session's usage has reached, for engines that no broker meters. */
export function exceededLimit(usage: Usage, limits: Limits): "maxTokens" | "maxBudgetUsd" | undefined {
  if (limits.maxTokens !== undefined && totalTokens(usage) >= limits.maxTokens) return "maxTokens";
  if (limits.maxBudgetUsd !== undefined && (usage.cost_usd ?? 0) >= limits.maxBudgetUsd) return "maxBudgetUsd";
  return undefined;
}
