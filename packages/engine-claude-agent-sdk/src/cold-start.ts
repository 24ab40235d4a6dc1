import type { Options, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { AsyncQueue } from "./async-queue.ts";
import { ChildSlot } from "./child-slot.ts";
import { ClaudeProcess } from "./claude-process.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import type { Sdk } from "./sdk.ts";

/** Starts a process for a session. Throws what the SDK throws if there is nothing to start. */
export function startCold(
  sdk: Sdk,
  engine: ResolvedEngineOptions,
  sessionId: string,
  options: Options,
  secrets: readonly string[],
): ClaudeProcess {
  const prompt = new AsyncQueue<SDKUserMessage>();
  const slot = new ChildSlot(engine.supervisor, sessionId, engine.maxMessageBytes);
  const query = sdk.query({ prompt, options: { ...options, spawnClaudeCodeProcess: slot.spawn } });
  return new ClaudeProcess({ query, prompt, slot, secrets, startTimeoutMs: engine.startTimeoutMs });
}
