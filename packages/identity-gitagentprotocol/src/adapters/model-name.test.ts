import { describe, expect, it } from "vitest";
import { parseModelName } from "./model-name.ts";

describe("parseModelName", () => {
  it.each([
    ["claude-opus-5-5", "anthropic", "claude-opus-5-5"],
    ["anthropic/claude-opus-5-5", "anthropic", "claude-opus-5-5"],
    ["anthropic:claude-opus-5-5", "anthropic", "claude-opus-5-5"],
    ["ollama/qwen3-coder:latest", "ollama", "qwen3-coder:latest"],
    ["qwen3-coder:latest", "unknown", "qwen3-coder:latest"],
    ["groq:llama-3.3-70b", "groq", "llama-3.3-70b"],
    ["openrouter/anthropic/claude-opus-5-5", "openrouter", "anthropic/claude-opus-5-5"],
    ["gpt-4.1", "openai", "gpt-4.1"],
    ["gemini-3", "google", "gemini-3"],
    ["llama3.1:8b", "ollama", "llama3.1:8b"],
    ["/odd", "unknown", "/odd"],
    ["openai:", "unknown", "openai:"],
    ["", "unknown", ""],
  ])("reads %j", (text, provider, model) => {
    expect(parseModelName(text)).toEqual({ provider, model });
  });
});
