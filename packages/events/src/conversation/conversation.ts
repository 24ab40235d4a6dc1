import type {
  Billing,
  EngineErrorData,
  SessionEndedData,
  SessionStatus,
  TurnEndReason,
  Usage,
} from "@computeragent/protocol";
import type { PlanStep, SessionFacts } from "../normalized-event.ts";
import type { Item, PermissionItem } from "./item.ts";

/** One input of the user and what followed. `state` is why it ended, once it has. */
export interface Turn {
  readonly turnId: string;
  readonly messageIds: readonly string[];
  readonly state: "running" | TurnEndReason;
  readonly error?: EngineErrorData;
  readonly usage?: Usage;
}

/** Tokens and cost as last reported. */
export interface UsageSnapshot {
  readonly usage: Usage;
  readonly billing: Billing;
}

/** Events are missing: nothing between `after` (null: the beginning) and `next` was seen. Load the log again to mend it. */
export interface Gap {
  readonly after: number | null;
  readonly next: number;
}

/** Place of an event: its number in the log and its index within that event. */
export interface Cursor {
  readonly seq: number;
  readonly sub: number;
}

/** What a conversation looks like after some of its events: JSON, never changed in place, unchanged parts keep their identity. */
export interface Conversation {
  readonly sessionId: string | null;
  readonly status: SessionStatus;
  readonly session: SessionFacts | null;
  readonly turns: readonly Turn[];
  /** Everything to show, in order. */
  readonly items: readonly Item[];
  /** Open permission requests, oldest first; each also stands in `items`. */
  readonly pending: readonly PermissionItem[];
  /** The newest plan of the main agent. */
  readonly plan: readonly PlanStep[];
  readonly usage: { readonly turn: UsageSnapshot | null; readonly session: UsageSnapshot | null };
  readonly ended: {
    readonly reason: SessionEndedData["reason"];
    readonly error?: { readonly code: string; readonly class: EngineErrorData["class"]; readonly message?: string };
  } | null;
  readonly gap: Gap | null;
  /** The newest event in here; null before the first. Its `seq` is the cursor to read on from. */
  readonly cursor: Cursor | null;
}

/** A conversation before its first event. */
export function emptyConversation(): Conversation {
  return {
    sessionId: null,
    status: "idle",
    session: null,
    turns: [],
    items: [],
    pending: [],
    plan: [],
    usage: { turn: null, session: null },
    ended: null,
    gap: null,
    cursor: null,
  };
}
