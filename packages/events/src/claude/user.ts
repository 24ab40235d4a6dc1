import type { JsonObject } from "@computeragent/protocol";
import type { NormalizedBody } from "../normalized-event.ts";
import { given, idOf, listOf, objectOf, own, withoutKey } from "../shape.ts";
import { contentBlocks, resultText, textOfBlocks } from "./content.ts";
import { fileChange } from "./file-change.ts";
import { planChange } from "./plan.ts";
import type { ClaudeState } from "./state.ts";
import { other, parentOf, type Step } from "./step.ts";

const INTERRUPTED = "[Request interrupted by user";
/** What Claude says of a call that was running when its process was killed. */
const LOST = "[Tool call interrupted";
/** Claude's words for a call that was cut off; the others are refusals. It says "rejected" also of what it stopped while it ran. */
const CUT_OFF = ["user-rejected", "interrupted", "cancelled"];

/** A message in the user's name: results of tools, a sub-agent's task, or what the user said. */
export function user(state: ClaudeState, message: JsonObject): Step {
  const blocks = contentBlocks(objectOf(message.message).content);
  const results = blocks.filter(({ type, tool_use_id }) => type === "tool_result" && idOf(tool_use_id) !== undefined);
  if (results.length === 0) return said(state, message, blocks);
  // The structured result does not say which call it is of.
  const details = results.length === 1 ? objectOf(message.tool_use_result) : {};
  let next = state;
  const events: NormalizedBody[] = [];
  for (const block of results) {
    const step = result(next, message, block, details);
    next = step.state;
    events.push(...step.events);
  }
  return { state: next, events };
}

function said(state: ClaudeState, message: JsonObject, blocks: readonly JsonObject[]): Step {
  const text = textOfBlocks(blocks);
  const itemId = idOf(message.uuid);
  if (message.isSynthetic === true) return other(state, "user/synthetic");
  if (text.startsWith(INTERRUPTED)) return other(state, "user/interrupted");
  if (blocks.length === 0 || itemId === undefined) return { state, events: [] };
  return {
    state,
    events: [{ event: "message.completed", itemId, role: "user", text, blocks, source: itemId, ...parentOf(message) }],
  };
}

function result(state: ClaudeState, message: JsonObject, block: JsonObject, details: JsonObject): Step {
  const callId = idOf(block.tool_use_id) ?? "";
  const call = own(state.calls, callId);
  const parent = parentOf(message);
  const text = resultText(block.content);
  const isError = block.is_error === true;
  const stopped = text.startsWith(LOST) ? "interrupted" : stopOf(message, callId);
  const events: NormalizedBody[] = [
    { event: "tool.completed", callId, isError, text, ...given("stopped", stopped), ...parent },
  ];
  const closed: ClaudeState = {
    ...state,
    calls: withoutKey(state.calls, callId),
    messages: withoutKey(state.messages, callId),
  };
  if (isError || stopped) return { state: closed, events };
  const change = fileChange(callId, call, details, text);
  if (change) events.push({ ...change, ...parent });
  const plan = call && planChange(state.tasks, call, details, text);
  if (!plan) return { state: closed, events };
  const owner = plan.tasks ? {} : given("parent", parent.parent);
  events.push({ event: "plan.updated", items: plan.items, ...owner });
  return { state: plan.tasks ? { ...closed, tasks: plan.tasks } : closed, events };
}

function stopOf(message: JsonObject, callId: string): "denied" | "interrupted" | undefined {
  const meta = listOf(message.tool_result_meta).map(objectOf);
  const kind = idOf(meta.find(({ id }) => id === callId)?.non_execution_kind);
  if (kind === undefined) return undefined;
  return CUT_OFF.includes(kind) ? "interrupted" : "denied";
}
