import type { ErrorClass, JsonObject, PermissionRequestData, Risk, ToolKind } from "@computeragent/protocol";
import type { PlanStep } from "../normalized-event.ts";

/** What all items have. `id` is unique in a conversation and stays. `parent`: the tool call whose sub-agent it belongs to. */
interface ItemBase {
  readonly id: string;
  readonly turnId: string | null;
  readonly parent?: string;
  /** The engine's id of the message it came from. */
  readonly source?: string;
}

/** What the user said. `text` is null until somebody who knows it tells (`withUserMessage`); `turnId` null: still queued. */
export interface UserItem extends ItemBase {
  readonly type: "user";
  readonly text: string | null;
}

/** Text of the agent. `incomplete`: it was cut off. `blocks` only when it is more than text. */
export interface MessageItem extends ItemBase {
  readonly type: "message";
  readonly text: string;
  readonly state: "streaming" | "done" | "incomplete";
  readonly blocks?: readonly JsonObject[];
}

/** What the model thinks. */
export interface ReasoningItem extends ItemBase {
  readonly type: "reasoning";
  readonly text: string;
  readonly state: "streaming" | "done" | "incomplete";
}

/** How a tool call ended: `denied` by a decision or by policy; `interrupted`: stopped, and what it did is unknown. */
export type ToolState = "running" | "completed" | "failed" | "denied" | "interrupted";

/** A decision about a tool call. */
export interface Decision {
  readonly decision: "allow" | "deny" | "modify" | "expired" | "cancelled";
  readonly by: string;
  readonly reason?: string;
}

/** A tool call; `id` is its call id. `output` grows where the engine streams it and is the whole result in the end. */
export interface ToolItem extends ItemBase {
  readonly type: "tool";
  readonly name: string;
  readonly kind: ToolKind;
  readonly paths: readonly string[];
  readonly input: JsonObject;
  readonly output: string;
  readonly state: ToolState;
  readonly decision?: Decision;
}

/** A question whether a tool may run. `decision` null: it is open. */
export interface PermissionItem extends ItemBase {
  readonly type: "permission";
  readonly callId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  readonly risk: Risk;
  readonly title?: string;
  readonly agentId?: string;
  readonly expiresAt: string;
  readonly compliance?: PermissionRequestData["gap_compliance"];
  readonly decision: Decision | null;
}

/** A file that a tool changed. */
export interface FileItem extends ItemBase {
  readonly type: "file";
  readonly callId: string;
  readonly path: string;
  readonly change: "create" | "modify" | "delete";
  readonly diff?: string;
}

/** The plan of a turn, in its newest form. */
export interface PlanItem extends ItemBase {
  readonly type: "plan";
  readonly steps: readonly PlanStep[];
}

/** Something that people should know. */
export interface NoticeItem extends ItemBase {
  readonly type: "notice";
  readonly level: "info" | "warning";
  readonly code: string;
  readonly message: string;
  readonly path?: string;
}

/** Something that failed. */
export interface ErrorItem extends ItemBase {
  readonly type: "error";
  readonly class: ErrorClass;
  readonly message: string;
  readonly code?: string;
  readonly until?: string;
  readonly provisional?: true;
}

/** One thing to show in a conversation. */
export type Item =
  | UserItem
  | MessageItem
  | ReasoningItem
  | ToolItem
  | PermissionItem
  | FileItem
  | PlanItem
  | NoticeItem
  | ErrorItem;
