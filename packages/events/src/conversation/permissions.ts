import type { Permission } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import type { Decision, PermissionItem } from "./item.ts";
import { addItem, base, findItem, replaceItem } from "./items.ts";
import { toolDecided } from "./tools.ts";

type In<T> = T & { readonly parent?: string };

/** A request or a decision. A request that is known, decided or not, is not taken twice. */
export function permission(conversation: Conversation, event: In<Permission>): Conversation {
  return event.state === "requested" ? requested(conversation, event) : resolved(conversation, event);
}

function requested(conversation: Conversation, event: In<Extract<Permission, { state: "requested" }>>): Conversation {
  const { event: _event, state: _state, parent: _parent, ...request } = event;
  if (conversation.ended || findItem(conversation, "permission", ({ callId }) => callId === request.callId)) {
    return conversation;
  }
  const owner = findItem(conversation, "tool", ({ id }) => id === request.callId)?.parent ?? event.parent;
  const item: PermissionItem = {
    ...base(conversation, `permission:${request.callId}`, owner === undefined ? {} : { parent: owner }),
    type: "permission",
    ...requestOf(request),
    decision: null,
  };
  return { ...addItem(conversation, item), pending: [...conversation.pending, item] };
}

function requestOf(request: Omit<Extract<Permission, { state: "requested" }>, "event" | "state">) {
  const { callId, toolName, input, risk, title, agentId, expiresAt, compliance } = request;
  return {
    callId,
    toolName,
    input,
    risk,
    ...(title === undefined ? {} : { title }),
    ...(agentId === undefined ? {} : { agentId }),
    expiresAt,
    ...(compliance === undefined ? {} : { compliance }),
  };
}

function resolved(conversation: Conversation, event: Extract<Permission, { state: "resolved" }>): Conversation {
  const { callId, by, reason } = event;
  const decision: Decision = { decision: event.decision, by, ...(reason === undefined ? {} : { reason }) };
  const asked = findItem(conversation, "permission", (item) => item.callId === callId);
  const answered = asked ? replaceItem(conversation, asked, { ...asked, decision }) : conversation;
  const open = conversation.pending.some((item) => item.callId === callId);
  const pending = open ? conversation.pending.filter((item) => item.callId !== callId) : conversation.pending;
  return toolDecided({ ...answered, pending }, callId, decision);
}
