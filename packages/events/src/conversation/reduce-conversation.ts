import type { SessionStatus } from "@computeragent/protocol";
import type { NormalizedEvent } from "../normalized-event.ts";
import { type Conversation, type Cursor, emptyConversation, type Gap } from "./conversation.ts";
import { runningTurn } from "./items.ts";
import { failure, notice, plan } from "./notes.ts";
import { permission } from "./permissions.ts";
import { discard, messageCompleted, messageDelta, reasoning } from "./texts.ts";
import { fileChanged, toolCompleted, toolOutput, toolStarted } from "./tools.ts";
import { session, turn, usage } from "./turns.ts";

/**
 * The conversation after one more event. An event that is in it already changes nothing, so any part of a stream may be
 * applied again; a missing one is marked in `gap`. Control frames count without moving the cursor. Never throws.
 */
export function reduceConversation(conversation: Conversation, event: NormalizedEvent): Conversation {
  const { seq, sub } = event;
  if (seq === null) return controlFrame(conversation, event);
  const before = isOtherLog(conversation, event) ? emptyConversation() : conversation;
  const { cursor } = before;
  if (cursor && (seq < cursor.seq || (seq === cursor.seq && sub <= cursor.sub))) return conversation;
  const gap = before.gap ?? gapBefore(cursor, { seq, sub });
  return withStatus({ ...apply(before, event), gap, cursor: { seq, sub } });
}

/** The conversation that a list of events makes. */
export function replayConversation(
  events: Iterable<NormalizedEvent>,
  from: Conversation = emptyConversation(),
): Conversation {
  let conversation = from;
  for (const event of events) conversation = reduceConversation(conversation, event);
  return conversation;
}

function controlFrame(conversation: Conversation, event: NormalizedEvent): Conversation {
  // The log ends before what we know: it is an older copy, and comes from its beginning.
  if (event.event === "replay.gap") {
    const { headId } = event;
    const { cursor } = conversation;
    return cursor && headId !== null && headId < cursor.seq ? emptyConversation() : conversation;
  }
  const next = event.event === "permission" ? apply(conversation, event) : conversation;
  return next === conversation ? conversation : withStatus(next);
}

function apply(conversation: Conversation, event: NormalizedEvent): Conversation {
  const id = `${event.event}:${event.seq}:${event.sub}`;
  switch (event.event) {
    case "message.delta":
      return messageDelta(conversation, event);
    case "message.completed":
      return messageCompleted(conversation, event);
    case "message.discarded":
      return discard(conversation, event);
    case "reasoning":
      return reasoning(conversation, event);
    case "tool.started":
      return toolStarted(conversation, event);
    case "tool.output":
      return toolOutput(conversation, event);
    case "tool.completed":
      return toolCompleted(conversation, event);
    case "file.changed":
      return fileChanged(conversation, event, id);
    case "plan.updated":
      return plan(conversation, event, id);
    case "usage":
      return usage(conversation, event);
    case "permission":
      return permission(conversation, event);
    case "error":
      return failure(conversation, event, id);
    case "turn":
      return turn(conversation, event);
    case "notice":
      return notice(conversation, event, id);
    case "session":
      return session(conversation, event);
    default:
      return conversation;
  }
}

function withStatus(conversation: Conversation): Conversation {
  const status = statusOf(conversation);
  return status === conversation.status ? conversation : { ...conversation, status };
}

function statusOf(conversation: Conversation): SessionStatus {
  if (conversation.ended) return "ended";
  if (conversation.pending.length > 0) return "waiting_permission";
  return runningTurn(conversation) === null ? "idle" : "running";
}

/** True for the first event of a log that was restored from a backup, or of another session. */
function isOtherLog({ session: known }: Conversation, event: NormalizedEvent): boolean {
  return event.seq === 0 && event.event === "session" && event.state === "started" && known !== null
    ? known.epoch !== event.epoch || known.sessionId !== event.sessionId
    : false;
}

function gapBefore(cursor: Cursor | null, next: Cursor): Gap | null {
  const follows = cursor
    ? (next.seq === cursor.seq && next.sub === cursor.sub + 1) || (next.seq === cursor.seq + 1 && next.sub === 0)
    : next.seq === 0 && next.sub === 0;
  return follows ? null : { after: cursor?.seq ?? null, next: next.seq };
}
