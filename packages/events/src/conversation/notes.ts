import type { Failure, Notice, PlanUpdated } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import { addItem, base, findItem, putItem, replaceItem, runningTurn } from "./items.ts";

type In<T> = T & { readonly parent?: string };

/** A notice; one about progress takes the place of the one before it. */
export function notice(conversation: Conversation, event: In<Notice>, id: string): Conversation {
  const { level, code, message, path } = event;
  const last = conversation.items.at(-1);
  if (event.progress && last?.type === "notice" && last.code === code && last.turnId === runningTurn(conversation)) {
    return replaceItem(conversation, last, { ...last, level, message });
  }
  const item = { ...base(conversation, id, event), type: "notice" as const, level, code, message };
  return addItem(conversation, path === undefined ? item : { ...item, path });
}

/** A failure. The end of the turn settles what the engine said of it before. */
export function failure(conversation: Conversation, event: In<Failure>, id: string): Conversation {
  const { message, code, until, provisional } = event;
  const last = findItem(conversation, "error", ({ parent }) => parent === event.parent);
  const turnId = runningTurn(conversation) ?? conversation.turns.at(-1)?.turnId ?? null;
  const same = last && last.turnId === turnId && (last.provisional || last.message === message) ? last : undefined;
  return putItem(conversation, same, {
    ...(same ? { ...identity(same) } : base(conversation, id, event)),
    type: "error",
    class: event.class,
    message,
    ...(code === undefined ? {} : { code }),
    ...(until === undefined ? {} : { until }),
    ...(provisional ? { provisional } : {}),
  });
}

/** A new form of the plan: one item a turn. */
export function plan(conversation: Conversation, event: In<PlanUpdated>, id: string): Conversation {
  const turnId = runningTurn(conversation);
  const old = findItem(conversation, "plan", (item) => item.turnId === turnId && item.parent === event.parent);
  const item = { ...(old ?? base(conversation, id, event)), type: "plan" as const, steps: event.items };
  const next = putItem(conversation, old, item);
  return event.parent === undefined ? { ...next, plan: event.items } : next;
}

const identity = ({ id, turnId, parent }: { id: string; turnId: string | null; parent?: string }) => ({
  id,
  turnId,
  ...(parent === undefined ? {} : { parent }),
});
