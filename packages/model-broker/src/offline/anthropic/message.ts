import { randomUUID } from "node:crypto";
import type { JsonObject } from "@computeragent/protocol";
import type { Act, Plan } from "../script/act.ts";

/** Token counters of an offline answer: estimates, or what `!usage` said. */
export interface OfflineUsage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: 0;
  readonly cache_read_input_tokens: 0;
  readonly output_tokens: number;
}

const BYTES_PER_TOKEN = 4;

/** A token count for so many bytes: never 0, always the same for the same bytes. */
export const estimateTokens = (bytes: number): number => Math.max(1, Math.ceil(bytes / BYTES_PER_TOKEN));

function bytesOf(act: Act): number {
  if (act.kind === "text" || act.kind === "think") return Buffer.byteLength(act.text);
  if (act.kind === "stream") return act.count * act.bytes;
  return act.kind === "tool" ? Buffer.byteLength(JSON.stringify(act.input)) : 0;
}

/** What the answer costs: `!usage` if the plan has one, an estimate from the sizes otherwise. */
export function usageOf(plan: Plan, requestBytes: number): OfflineUsage {
  const stated = plan.acts.findLast((act) => act.kind === "usage");
  const output = plan.acts.reduce((sum, act) => sum + bytesOf(act), 0);
  return {
    input_tokens: stated?.input ?? estimateTokens(requestBytes),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: stated?.output ?? estimateTokens(output),
  };
}

/** A random id: the prefix, `_offline_` and 32 hex digits. */
export const newId = (prefix: "msg" | "toolu"): string => `${prefix}_offline_${randomUUID().replaceAll("-", "")}`;

/** The `index`-th piece of a `!stream`: a running number, filled up to the size in bytes. */
export function streamPiece(index: number, bytes: number): string {
  const number = `${index} `;
  return number.length <= bytes ? number.padEnd(bytes, ".") : ".".repeat(bytes);
}

/** A Messages answer without content. */
export const envelope = (model: string, usage: OfflineUsage): JsonObject => ({
  id: newId("msg"),
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { ...usage },
});

/** Why the answer ends. */
export const stopReason = (plan: Plan): "tool_use" | "end_turn" =>
  plan.acts.some((act) => act.kind === "tool") ? "tool_use" : "end_turn";

function contentOf(acts: readonly Act[]): JsonObject[] {
  const content: JsonObject[] = [];
  let parts: string[] = [];
  const closeText = (): void => {
    if (parts.length > 0) content.push({ type: "text", text: parts.join("\n") });
    parts = [];
  };
  for (const act of acts) {
    if (act.kind === "text") parts.push(act.text);
    else if (act.kind === "stream") {
      parts.push(Array.from({ length: act.count }, (_, index) => streamPiece(index, act.bytes)).join(""));
    } else if (act.kind === "think") {
      closeText();
      content.push({ type: "thinking", thinking: act.text, signature: "offline" });
    } else if (act.kind === "tool") {
      closeText();
      content.push({ type: "tool_use", id: newId("toolu"), name: act.name, input: act.input });
    }
  }
  closeText();
  return content;
}

/** A whole Messages answer as JSON. */
export const messageJson = (plan: Plan, usage: OfflineUsage): JsonObject => ({
  ...envelope(plan.model, usage),
  content: contentOf(plan.acts),
  stop_reason: stopReason(plan),
});
