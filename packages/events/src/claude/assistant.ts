import type { ErrorClass, JsonObject } from "@computeragent/protocol";
import type { NormalizedBody } from "../normalized-event.ts";
import { given, idOf, objectOf, stringsOf, textOf, withKey } from "../shape.ts";
import { contentBlocks, resultText, textOfBlocks } from "./content.ts";
import { completeBlock, itemIdOf, openMessage } from "./open-message.ts";
import { rememberedInput } from "./remembered-input.ts";
import type { ClaudeState } from "./state.ts";
import { conversationOf, parentOf, type Step } from "./step.ts";
import { toolKind, toolPaths } from "./tools.ts";

const LIMITED = ["rate_limit"];
const SHOWN = ["text", "image", "document"];
const TRANSIENT = ["overloaded", "server_error", "unknown"];

/** A message of the model: usually one block, the next blocks of the same answer in messages of the same id. */
export function assistant(state: ClaudeState, message: JsonObject): Step {
  const inner = objectOf(message.message);
  const blocks = contentBlocks(inner.content);
  if (typeof message.error === "string") {
    return { state, events: [failure(message.error, textOfBlocks(blocks), message)] };
  }
  const id = idOf(inner.id) ?? idOf(message.uuid);
  if (id === undefined) return { state, events: [] };
  const superseded = stringsOf(message.supersedes);
  const opened = openMessage(state, conversationOf(message), id);
  const events: NormalizedBody[] = opened.discarded.map((body) => ({ ...body, ...parentOf(message) }));
  if (superseded.length > 0) events.push({ event: "message.discarded", itemIds: [], sources: superseded });
  let next = opened.state;
  for (const block of blocks) {
    const step = oneBlock(next, message, id, block);
    next = step.state;
    events.push(...step.events);
  }
  return { state: next, events };
}

function oneBlock(state: ClaudeState, message: JsonObject, messageId: string, block: JsonObject): Step {
  const type = textOf(block.type);
  const completed = completeBlock(state, conversationOf(message), type);
  const shared = { ...given("source", idOf(message.uuid)), ...parentOf(message) };
  const itemId = itemIdOf(messageId, completed.index);
  const callId = idOf(block.id);
  if (type.endsWith("tool_use") && callId !== undefined) {
    const name = textOf(block.name);
    const input = objectOf(block.input);
    const call = { name, input: rememberedInput(name, input) };
    return {
      state: { ...completed.state, calls: withKey(completed.state.calls, callId, call) },
      events: [
        { event: "tool.started", callId, name, kind: toolKind(name), paths: toolPaths(input), input, ...shared },
      ],
    };
  }
  return { state: completed.state, events: [blockEvent(type, block, itemId, message, shared)] };
}

function blockEvent(
  type: string,
  block: JsonObject,
  itemId: string,
  message: JsonObject,
  shared: { readonly source?: string; readonly parent?: string },
): NormalizedBody {
  const callId = idOf(block.tool_use_id);
  if (type.endsWith("tool_result") && callId !== undefined) {
    const { parent } = shared;
    // Tools that run at the model's side have their result in the answer itself.
    const isError = block.is_error === true || textOf(objectOf(block.content).type).endsWith("_error");
    return { event: "tool.completed", callId, isError, text: resultText(block.content), ...given("parent", parent) };
  }
  if (type === "thinking" || type === "redacted_thinking") {
    return { event: "reasoning", itemId, text: textOf(block.thinking), delta: false, droppable: true, ...shared };
  }
  if (!SHOWN.includes(type)) return { event: "other", type: `assistant/${type}`, ...given("parent", shared.parent) };
  const cut = message.aborted === true ? { incomplete: true as const } : {};
  const text = textOf(block.text);
  return { event: "message.completed", itemId, role: "assistant", text, blocks: [block], ...cut, ...shared };
}

function failure(name: string, text: string, message: JsonObject): NormalizedBody {
  const known: ErrorClass = LIMITED.includes(name) ? "limited" : TRANSIENT.includes(name) ? "transient" : "permanent";
  return { event: "error", class: known, message: text || name, code: name, provisional: true, ...parentOf(message) };
}
