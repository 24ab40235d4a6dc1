import type { MessageDiscarded } from "../normalized-event.ts";
import { own, withKey } from "../shape.ts";
import type { ClaudeState, OpenBlock, OpenMessage } from "./state.ts";

/** The id of what a block shows. */
export const itemIdOf = (messageId: string, index: number): string => `${messageId}:${index}`;

/** A message begins. Texts of the one before that were never completed are void: Claude asks again after a cut. */
export function openMessage(
  state: ClaudeState,
  conversation: string,
  id: string,
): { readonly state: ClaudeState; readonly discarded: readonly MessageDiscarded[] } {
  const before = own(state.messages, conversation);
  if (before?.id === id) return { state, discarded: [] };
  const cut = before?.blocks.filter(({ type, done }) => !done && (type === "text" || type === "thinking")) ?? [];
  const itemIds = cut.map(({ index }) => itemIdOf(before?.id ?? "", index));
  return {
    state: setMessage(state, conversation, { id, blocks: [] }),
    discarded: itemIds.length > 0 ? [{ event: "message.discarded", itemIds, sources: [] }] : [],
  };
}

/** A block of the open message begins to stream. */
export function openBlock(state: ClaudeState, conversation: string, index: number, type: string): ClaudeState {
  const message = own(state.messages, conversation);
  if (!message || message.blocks.some((block) => block.index === index)) return state;
  return setMessage(state, conversation, {
    ...message,
    blocks: [...message.blocks, { index, type, done: false }],
  });
}

/** A whole block arrived: which one it is. Without partial messages the blocks are counted. */
export function completeBlock(
  state: ClaudeState,
  conversation: string,
  type: string,
): { readonly state: ClaudeState; readonly index: number } {
  const message = own(state.messages, conversation);
  if (!message) return { state, index: 0 };
  const open = message.blocks.find((block) => !block.done && block.type === type);
  const index = open?.index ?? message.blocks.reduce((next, block) => Math.max(next, block.index + 1), 0);
  const done: OpenBlock = { index, type, done: true };
  const blocks = open ? message.blocks.map((block) => (block === open ? done : block)) : [...message.blocks, done];
  return { state: setMessage(state, conversation, { ...message, blocks }), index };
}

function setMessage(state: ClaudeState, conversation: string, message: OpenMessage): ClaudeState {
  return { ...state, messages: withKey(state.messages, conversation, message) };
}
