import type {
  Billing,
  Capability,
  EngineErrorData,
  ErrorClass,
  IdentityInfo,
  JsonObject,
  PermissionRequestData,
  PermissionResolvedData,
  SessionEndedData,
  ToolKind,
  TurnEndReason,
  Usage,
} from "@computeragent/protocol";

/** A step of an agent's plan. `active` says it in the present continuous, for display while it runs. */
export interface PlanStep {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
  readonly active?: string;
}

/** More text of a message that is being written. Pieces in order make the whole text; the completed one replaces them. */
export interface MessageDelta {
  readonly event: "message.delta";
  readonly itemId: string;
  readonly text: string;
}

/** One whole block of a message. `blocks` are the engine's own; `incomplete`: it was cut off. */
export interface MessageCompleted {
  readonly event: "message.completed";
  readonly itemId: string;
  readonly role: "assistant" | "user";
  readonly text: string;
  readonly blocks: readonly JsonObject[];
  readonly incomplete?: true;
  /** The engine's id of the message, by which it may take it back. */
  readonly source?: string;
}

/** What was shown does not count any more: items by id, and all that came from these messages of the engine. */
export interface MessageDiscarded {
  readonly event: "message.discarded";
  readonly itemIds: readonly string[];
  readonly sources: readonly string[];
}

/** What the model thinks: a piece (`delta`) or, replacing the pieces, the whole. A reader may drop its text. */
export interface Reasoning {
  readonly event: "reasoning";
  readonly itemId: string;
  readonly text: string;
  readonly delta: boolean;
  readonly droppable: true;
  readonly source?: string;
}

/** A tool is called, with its whole input. `paths`: the files and folders that the input names. */
export interface ToolStarted {
  readonly event: "tool.started";
  readonly callId: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly paths: readonly string[];
  readonly input: JsonObject;
  readonly source?: string;
}

/** Output of a running tool, as it comes; only from engines that stream it. */
export interface ToolOutput {
  readonly event: "tool.output";
  readonly callId: string;
  readonly text: string;
}

/** A tool's result: all of its text. `stopped`: the call was refused, or ended before its time and may have done a part. */
export interface ToolCompleted {
  readonly event: "tool.completed";
  readonly callId: string;
  readonly isError: boolean;
  readonly text: string;
  readonly stopped?: "denied" | "interrupted";
}

/** A tool changed a file. `diff` is a unified diff; absent when unknown or above 256 KiB. */
export interface FileChanged {
  readonly event: "file.changed";
  readonly callId: string;
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  readonly diff?: string;
}

/** The whole plan as it is now. */
export interface PlanUpdated {
  readonly event: "plan.updated";
  readonly items: readonly PlanStep[];
}

/** Tokens and cost so far of a turn or of the session. */
export interface UsageReported {
  readonly event: "usage";
  readonly scope: "turn" | "session";
  readonly turnId?: string;
  readonly usage: Usage;
  readonly billing: Billing;
}

/** A tool call waits for somebody's decision, or got it. A decision without a request is the policy's. */
export type Permission =
  | ({ readonly event: "permission"; readonly state: "requested" } & Readonly<
      Omit<PermissionRequestData, "redelivered" | "seq" | "gap_compliance">
    > & { readonly compliance?: PermissionRequestData["gap_compliance"] })
  | ({ readonly event: "permission"; readonly state: "resolved" } & Readonly<PermissionResolvedData>);

/** Something failed. `provisional`: the engine's word for it, which the end of the turn settles. */
export interface Failure {
  readonly event: "error";
  readonly class: ErrorClass;
  readonly message: string;
  readonly code?: string;
  readonly until?: string;
  readonly provisional?: true;
}

/** A turn began or ended. */
export type TurnChanged =
  | {
      readonly event: "turn";
      readonly state: "started";
      readonly turnId: string;
      readonly messageIds: readonly string[];
    }
  | {
      readonly event: "turn";
      readonly state: "ended";
      readonly turnId: string;
      readonly messageIds: readonly string[];
      readonly reason: TurnEndReason;
      readonly error?: EngineErrorData;
      readonly usage: Usage;
    };

/** Something that people should know. `progress`: it takes the place of the notice of the same code right before it. */
export interface Notice {
  readonly event: "notice";
  readonly level: "info" | "warning";
  readonly code: string;
  readonly message: string;
  readonly path?: string;
  readonly progress?: true;
}

/** What a session is, as its first event states it. */
export interface SessionFacts {
  readonly sessionId: string;
  readonly engine: string;
  readonly identity: IdentityInfo | null;
  readonly model: string | null;
  readonly route: string | null;
  readonly capabilities: readonly Capability[];
  readonly protocolVersion: string;
  readonly epoch: string;
}

/** The session began, its engine said which model it uses, or it ended. */
export type SessionChanged =
  | ({ readonly event: "session"; readonly state: "started" } & SessionFacts)
  | { readonly event: "session"; readonly state: "engine_ready"; readonly model: string | null }
  | {
      readonly event: "session";
      readonly state: "ended";
      readonly reason: SessionEndedData["reason"];
      readonly error?: { readonly code: string; readonly class: ErrorClass; readonly message?: string };
    };

/** The log does not reach back to the cursor, or ends before it: what follows starts at `oldestId`. */
export interface ReplayGap {
  readonly event: "replay.gap";
  readonly requestedId: number | null;
  readonly oldestId: number | null;
  readonly headId: number | null;
}

/** Everything else. `type` names it, e.g. `system/status`; the event itself is in the log under `seq`. */
export interface Other {
  readonly event: "other";
  readonly type: string;
}

/** A normalised event without its place. `parent`: the tool call whose sub-agent it belongs to. */
export type NormalizedBody = (
  | MessageDelta
  | MessageCompleted
  | MessageDiscarded
  | Reasoning
  | ToolStarted
  | ToolOutput
  | ToolCompleted
  | FileChanged
  | PlanUpdated
  | UsageReported
  | Permission
  | Failure
  | TurnChanged
  | Notice
  | SessionChanged
  | ReplayGap
  | Other
) & { readonly parent?: string };

/** A normalised event. `seq`: the event of the log it comes from, null for a control frame; `sub`: its index within that event. */
export type NormalizedEvent = NormalizedBody & { readonly seq: number | null; readonly sub: number };
