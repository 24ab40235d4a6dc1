import type { JsonObject } from "@computeragent/protocol";
import type { CallTokens } from "../prices/price.ts";
import { asCount, asObject, asText } from "./json.ts";

/** What an answer said about itself so far. */
export interface Metered {
  readonly model: string;
  readonly tokens: CallTokens;
}

const NOTHING: CallTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };

/** Takes a `usage` object into account; what it leaves out stays as it was. */
export function mergeUsage(before: CallTokens, usage: JsonObject): CallTokens {
  const cacheWrite = asCount(usage.cache_creation_input_tokens, before.cacheWrite);
  const hour = asObject(usage.cache_creation).ephemeral_1h_input_tokens;
  return {
    input: asCount(usage.input_tokens, before.input),
    output: asCount(usage.output_tokens, before.output),
    cacheRead: asCount(usage.cache_read_input_tokens, before.cacheRead),
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, asCount(hour, before.cacheWrite1h)),
  };
}

/** Reads the usage of a whole message; `null` when it has none. */
export function usageOfMessage(message: JsonObject): Metered | null {
  if (typeof message.usage !== "object" || message.usage === null) return null;
  return { model: asText(message.model), tokens: mergeUsage(NOTHING, asObject(message.usage)) };
}
