import type { SessionChanged, TurnChanged, UsageReported } from "../normalized-event.ts";
import type { Conversation, Turn } from "./conversation.ts";
import type { Item } from "./item.ts";
import { joinMessages, startWithMessages } from "./user-messages.ts";

/** A turn begins or ends. */
export function turn(conversation: Conversation, event: TurnChanged): Conversation {
  return event.state === "started" ? started(conversation, event) : ended(conversation, event);
}

function started(conversation: Conversation, event: Extract<TurnChanged, { state: "started" }>): Conversation {
  const { turnId, messageIds } = event;
  const next = startWithMessages(conversation, turnId, messageIds);
  return { ...next, turns: [...next.turns, { turnId, messageIds, state: "running" }] };
}

function ended(conversation: Conversation, event: Extract<TurnChanged, { state: "ended" }>): Conversation {
  const { turnId, messageIds, reason, error, usage } = event;
  const index = conversation.turns.findLastIndex((known) => known.turnId === turnId);
  const old = conversation.turns[index];
  const state: Turn = {
    turnId,
    messageIds: messageIds.length > 0 ? messageIds : (old?.messageIds ?? []),
    state: reason,
    ...(error === undefined ? {} : { error }),
    usage,
  };
  const turns = old ? conversation.turns.with(index, state) : [...conversation.turns, state];
  return joinMessages({ ...conversation, turns, items: settle(conversation.items, turnId) }, turnId, messageIds);
}

/** Nothing goes on after the end of its turn. */
function settle(items: readonly Item[], turnId: string): readonly Item[] {
  const open = (item: Item): boolean =>
    item.turnId === turnId && "state" in item && (item.state === "streaming" || item.state === "running");
  if (!items.some(open)) return items;
  return items.map((item) => {
    if (!open(item)) return item;
    if (item.type === "tool") return { ...item, state: "interrupted" };
    return item.type === "message" || item.type === "reasoning" ? { ...item, state: "incomplete" } : item;
  });
}

/** Tokens and cost. */
export function usage(conversation: Conversation, event: UsageReported): Conversation {
  const snapshot = { usage: event.usage, billing: event.billing };
  return { ...conversation, usage: { ...conversation.usage, [event.scope]: snapshot } };
}

/** The session begins, its engine names its model, or it ends. */
export function session(conversation: Conversation, event: SessionChanged): Conversation {
  switch (event.state) {
    case "started": {
      const { event: _event, state: _state, ...rest } = event;
      const { sessionId, engine, identity, model, route, capabilities, protocolVersion, epoch } = rest;
      const facts = { sessionId, engine, identity, model, route, capabilities, protocolVersion, epoch };
      return { ...conversation, sessionId, session: facts };
    }
    case "engine_ready": {
      const { session: facts } = conversation;
      if (!facts || event.model === null || facts.model === event.model) return conversation;
      return { ...conversation, session: { ...facts, model: event.model } };
    }
    case "ended": {
      const { reason, error } = event;
      return { ...conversation, ended: { reason, ...(error === undefined ? {} : { error }) }, pending: [] };
    }
  }
}
