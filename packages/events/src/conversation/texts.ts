import type { MessageCompleted, MessageDelta, MessageDiscarded, Reasoning } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import type { Item } from "./item.ts";
import { addItem, base, findItem, putItem, replaceItem } from "./items.ts";
import { sayUserMessage } from "./user-messages.ts";

type In<T> = T & { readonly parent?: string };

/** More text. A piece that comes after the whole text is in it already. */
export function messageDelta(conversation: Conversation, event: In<MessageDelta>): Conversation {
  const old = findItem(conversation, "message", ({ id }) => id === event.itemId);
  if (old) return grow(conversation, old, event.text);
  const item = base(conversation, event.itemId, event);
  return addItem(conversation, { ...item, type: "message", text: event.text, state: "streaming" });
}

/** The whole text of a block. */
export function messageCompleted(conversation: Conversation, event: In<MessageCompleted>): Conversation {
  if (event.role === "user") return sayUserMessage(conversation, event);
  const old = findItem(conversation, "message", ({ id }) => id === event.itemId);
  const item = old ? { ...old, ...sourceOf(event) } : base(conversation, event.itemId, event);
  const state = event.incomplete ? "incomplete" : "done";
  const plain = event.blocks.every(({ type }) => type === "text");
  const blocks = plain ? {} : { blocks: event.blocks };
  return putItem(conversation, old, { ...item, type: "message", text: event.text, state, ...blocks });
}

/** What the model thinks, in pieces or as a whole. */
export function reasoning(conversation: Conversation, event: In<Reasoning>): Conversation {
  const old = findItem(conversation, "reasoning", ({ id }) => id === event.itemId);
  if (event.delta && old) return grow(conversation, old, event.text);
  const item = old ? { ...old, ...sourceOf(event) } : base(conversation, event.itemId, event);
  const state = event.delta ? "streaming" : "done";
  return putItem(conversation, old, { ...item, type: "reasoning", text: event.text, state });
}

/** Takes back what the engine took back. */
export function discard(conversation: Conversation, { itemIds, sources }: MessageDiscarded): Conversation {
  const gone = ({ id, source }: Item): boolean =>
    itemIds.includes(id) || (source !== undefined && sources.includes(source));
  if (!conversation.items.some(gone)) return conversation;
  return { ...conversation, items: conversation.items.filter((item) => !gone(item)) };
}

function grow(conversation: Conversation, old: Extract<Item, { type: "message" | "reasoning" }>, text: string) {
  if (old.state !== "streaming" || text === "") return conversation;
  return replaceItem(conversation, old, { ...old, text: old.text + text });
}

const sourceOf = ({ source }: { readonly source?: string }) => (source === undefined ? {} : { source });
