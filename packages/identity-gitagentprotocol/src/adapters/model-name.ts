/** A model as a manifest names it, taken apart. `provider` is a guess from the name when no prefix says it. */
export interface ModelName {
  readonly provider: string;
  /** Without the provider's prefix. */
  readonly model: string;
}

/** Prefixes with a colon that name a provider. Other colons belong to the model, as in `qwen3-coder:latest`. */
const PROVIDERS = new Set([
  "anthropic",
  "azure",
  "bedrock",
  "cerebras",
  "cohere",
  "deepseek",
  "fireworks",
  "google",
  "groq",
  "mistral",
  "mistralai",
  "nvidia",
  "ollama",
  "openai",
  "openrouter",
  "together",
  "vertex",
  "xai",
]);

const GUESSES: readonly (readonly [RegExp, string])[] = [
  [/^claude/i, "anthropic"],
  [/^(?:gpt|o1|o3|o4)/i, "openai"],
  [/^gemini/i, "google"],
  [/^deepseek/i, "deepseek"],
  [/^(?:llama|mistral)/i, "ollama"],
];

/** Reads `model`, `provider/model` and `provider:model`. An unknown bare name has the provider "unknown". */
export function parseModelName(text: string): ModelName {
  const slash = text.indexOf("/");
  if (slash > 0 && slash < text.length - 1) {
    return { provider: text.slice(0, slash).toLowerCase(), model: text.slice(slash + 1) };
  }
  const colon = text.indexOf(":");
  const prefix = text.slice(0, Math.max(0, colon)).toLowerCase();
  if (PROVIDERS.has(prefix) && colon < text.length - 1) return { provider: prefix, model: text.slice(colon + 1) };
  return { provider: GUESSES.find(([pattern]) => pattern.test(text))?.[1] ?? "unknown", model: text };
}
