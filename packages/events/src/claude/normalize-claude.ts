import type { JsonObject } from "@computeragent/protocol";
import { normalizeHostEvent } from "../host-events.ts";
import type { NormalizedBody, NormalizedEvent } from "../normalized-event.ts";
import type { RawEvent } from "../raw-event.ts";
import { countOf, textOf } from "../shape.ts";
import { assistant } from "./assistant.ts";
import { type ClaudeState, emptyClaudeState, loadClaudeState, saveClaudeState } from "./state.ts";
import type { Step } from "./step.ts";
import { streamEvent } from "./stream-event.ts";
import { systemEvents } from "./system.ts";
import { user } from "./user.ts";

/** One step of the normaliser, as a function. An event that was seen before gives nothing. Never throws. */
export function normalizeClaude(
  state: ClaudeState,
  event: RawEvent,
): { readonly state: ClaudeState; readonly events: readonly NormalizedEvent[] } {
  const before = isNewLog(state, event) ? emptyClaudeState() : state;
  const { seq } = event;
  if (seq !== null && seq <= before.cursor) return { state, events: [] };
  const step = event.type === "sdk_message" ? sdkMessage(before, event.data) : hostEvent(before, event);
  const bodies = step.events.length > 0 ? step.events : [otherwise(event)];
  return {
    state: seq === null ? step.state : { ...step.state, cursor: seq },
    events: bodies.map((body, sub) => ({ seq, sub, ...body })),
  };
}

/** A normaliser of one session's events, which may go on from a saved state. */
export interface ClaudeNormalizer {
  /** The normalised events of the next event of the log; none for one that was pushed before. Never throws. */
  push(event: RawEvent): readonly NormalizedEvent[];
  /** What a later normaliser needs to go on from here, as JSON. */
  state(): JsonObject;
}

/** Makes a normaliser for the events of a session whose engine is Claude. `state` comes from an earlier one. */
export function createClaudeNormalizer(state?: JsonObject): ClaudeNormalizer {
  let current = state ? loadClaudeState(state) : emptyClaudeState();
  return {
    push: (event) => {
      const step = normalizeClaude(current, event);
      current = step.state;
      return step.events;
    },
    state: () => saveClaudeState(current),
  };
}

/** True where another log begins: the first event of one restored from a backup, or the news that ours is longer than it. */
function isNewLog(state: ClaudeState, { seq, type, data }: RawEvent): boolean {
  if (seq === null) return type === "ca_replay_gap" && (countOf(data.headId) ?? state.cursor) < state.cursor;
  return seq === 0 && type === "ca_session_started" && state.epoch !== null && textOf(data.epoch) !== state.epoch;
}

function sdkMessage(state: ClaudeState, message: JsonObject): Step {
  switch (message.type) {
    case "assistant":
      return assistant(state, message);
    case "user":
      return user(state, message);
    case "stream_event":
      return streamEvent(state, message);
    case "system":
      return { state, events: systemEvents(message) };
    case "conversation_reset": {
      const text = "Claude began the conversation anew: it does not know what was said before.";
      return { state, events: [{ event: "notice", level: "info", code: "conversation_reset", message: text }] };
    }
    default:
      return { state, events: [] };
  }
}

function hostEvent(state: ClaudeState, { type, data }: RawEvent): Step {
  const events = normalizeHostEvent(type, data) ?? [];
  if (type === "ca_session_started") return { state: { ...state, epoch: textOf(data.epoch) }, events };
  // Nothing that was open goes on in the next turn.
  if (type === "ca_turn_ended") return { state: { ...state, messages: {}, calls: {} }, events };
  return { state, events };
}

function otherwise({ type, data }: RawEvent): NormalizedBody {
  if (type !== "sdk_message") return { event: "other", type };
  const subtype = textOf(data.subtype);
  return { event: "other", type: subtype === "" ? textOf(data.type) : `${textOf(data.type)}/${subtype}` };
}
