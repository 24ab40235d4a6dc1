import type { Conversation } from "./conversation.ts";
import type { Item } from "./item.ts";

/** The newest item of a type that fits; most events are about one of the last. */
export function findItem<T extends Item["type"]>(
  { items }: Conversation,
  type: T,
  fits: (item: Extract<Item, { type: T }>) => boolean,
): Extract<Item, { type: T }> | undefined {
  const is = (item: Item): item is Extract<Item, { type: T }> => item.type === type;
  return items.findLast((item): item is Extract<Item, { type: T }> => is(item) && fits(item));
}

/** The conversation with one more item. */
export const addItem = (conversation: Conversation, item: Item): Conversation => ({
  ...conversation,
  items: [...conversation.items, item],
});

/** The conversation with an item in the place of an older form of it. */
export function replaceItem(conversation: Conversation, old: Item, item: Item): Conversation {
  const index = conversation.items.lastIndexOf(old);
  return index === -1 || old === item ? conversation : { ...conversation, items: conversation.items.with(index, item) };
}

/** Replaces the item if there is an old form of it, else adds it. */
export const putItem = (conversation: Conversation, old: Item | undefined, item: Item): Conversation =>
  old ? replaceItem(conversation, old, item) : addItem(conversation, item);

/** The turn that runs now. */
export const runningTurn = ({ turns }: Conversation): string | null => {
  const last = turns.at(-1);
  return last?.state === "running" ? last.turnId : null;
};

/** The properties that every new item has. */
export function base(
  conversation: Conversation,
  id: string,
  event: { readonly parent?: string; readonly source?: string },
) {
  const { parent, source } = event;
  return {
    id,
    turnId: runningTurn(conversation),
    ...(parent === undefined ? {} : { parent }),
    ...(source === undefined ? {} : { source }),
  };
}
