import type { JsonObject } from "@computeragent/protocol";
import { countOf, idOf, objectOf, own, stringOf, textOf } from "../shape.ts";
import { itemIdOf, openBlock, openMessage } from "./open-message.ts";
import type { ClaudeState } from "./state.ts";
import { conversationOf, other, parentOf, type Step } from "./step.ts";

/** A piece of the Messages stream that Claude passes on while a message is being written. */
export function streamEvent(state: ClaudeState, message: JsonObject): Step {
  const event = objectOf(message.event);
  const conversation = conversationOf(message);
  const rest = (next: ClaudeState): Step => other(next, `stream_event/${textOf(event.type)}`);
  switch (event.type) {
    case "message_start": {
      const id = idOf(objectOf(event.message).id);
      if (id === undefined) return rest(state);
      const opened = openMessage(state, conversation, id);
      if (opened.discarded.length === 0) return rest(opened.state);
      return { state: opened.state, events: opened.discarded.map((body) => ({ ...body, ...parentOf(message) })) };
    }
    case "content_block_start": {
      const index = countOf(event.index);
      if (index === undefined) return rest(state);
      return rest(openBlock(state, conversation, index, textOf(objectOf(event.content_block).type)));
    }
    case "content_block_delta":
      return delta(state, message, event) ?? rest(state);
    default:
      return rest(state);
  }
}

function delta(state: ClaudeState, message: JsonObject, event: JsonObject): Step | undefined {
  const piece = objectOf(event.delta);
  const index = countOf(event.index);
  // A piece that masking held back may come after its message is closed: it names the message itself.
  const id = idOf(message.api_message_id) ?? own(state.messages, conversationOf(message))?.id;
  if (index === undefined || id === undefined) return undefined;
  const place = { itemId: itemIdOf(id, index), ...parentOf(message) };
  const text = stringOf(piece.text);
  if (piece.type === "text_delta" && text !== undefined) {
    return { state, events: [{ event: "message.delta", text, ...place }] };
  }
  const thinking = stringOf(piece.thinking);
  if (piece.type === "thinking_delta" && thinking !== undefined) {
    return { state, events: [{ event: "reasoning", text: thinking, delta: true, droppable: true, ...place }] };
  }
  return undefined;
}
