import type { MessageCompleted } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import type { UserItem } from "./item.ts";
import { addItem, base, findItem, replaceItem } from "./items.ts";

/** A message that was sent: its id (from the answer to the request) and its text. */
export interface SentMessage {
  readonly messageId: string;
  readonly text: string;
}

/**
 * Adds what only the sender knows: the log names messages by their ids, not their text. May be called before or after
 * the message's turn began, any number of times; a message without a turn is shown as queued.
 */
export function withUserMessage(conversation: Conversation, { messageId, text }: SentMessage): Conversation {
  const known = findItem(conversation, "user", ({ id }) => id === messageId);
  if (known) return known.text === text ? conversation : replaceItem(conversation, known, { ...known, text });
  const turn = conversation.turns.find(({ messageIds }) => messageIds.includes(messageId));
  return addItem(conversation, { type: "user", id: messageId, turnId: turn?.turnId ?? null, text });
}

/** A turn begins with these messages: they stand at its head. */
export function startWithMessages(conversation: Conversation, turnId: string, messageIds: readonly string[]) {
  const heads = [...new Set(messageIds)].map((id): UserItem => {
    const queued = findItem(conversation, "user", (item) => item.id === id);
    return queued ? { ...queued, turnId } : { type: "user", id, turnId, text: null };
  });
  if (heads.length === 0) return conversation;
  const rest = conversation.items.filter(({ type, id }) => type !== "user" || !messageIds.includes(id));
  return { ...conversation, items: [...rest, ...heads] };
}

/** The turn also took these messages, which were steered into it. */
export function joinMessages(conversation: Conversation, turnId: string, messageIds: readonly string[]): Conversation {
  const joins = ({ type, id, turnId: own }: Conversation["items"][number]): boolean =>
    type === "user" && own === null && messageIds.includes(id);
  if (!conversation.items.some(joins)) return conversation;
  return {
    ...conversation,
    items: conversation.items.map((item) => (joins(item) ? { ...item, turnId } : item)),
  };
}

/** The engine itself repeats what the user said, or says what a sub-agent was asked. */
export function sayUserMessage(
  conversation: Conversation,
  event: MessageCompleted & { readonly parent?: string },
): Conversation {
  const item: UserItem = { ...base(conversation, event.itemId, event), type: "user", text: event.text };
  const same = findItem(
    conversation,
    "user",
    ({ id, turnId, parent, text }) =>
      id === item.id || (turnId === item.turnId && parent === item.parent && (text === null || text === item.text)),
  );
  if (!same) return addItem(conversation, item);
  return same.text === null ? replaceItem(conversation, same, { ...same, text: event.text }) : conversation;
}
