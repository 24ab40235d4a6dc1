import type { JsonObject } from "@computeragent/protocol";
import type { NormalizedBody } from "../normalized-event.ts";
import { idOf } from "../shape.ts";
import type { ClaudeState } from "./state.ts";

/** What one message of Claude comes to. No events: the message is nothing but itself. */
export interface Step {
  readonly state: ClaudeState;
  readonly events: readonly NormalizedBody[];
}

/** A step that only says what the message is. */
export const other = (state: ClaudeState, type: string): Step => ({ state, events: [{ event: "other", type }] });

/** The sub-agent that a message belongs to, as the property of an event. */
export function parentOf(message: JsonObject): { readonly parent?: string } {
  const parent = idOf(message.parent_tool_use_id);
  return parent === undefined ? {} : { parent };
}

/** The key of a message's conversation in the state. */
export const conversationOf = (message: JsonObject): string => idOf(message.parent_tool_use_id) ?? "";
