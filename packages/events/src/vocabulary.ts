import type {
  Billing,
  Capability,
  ErrorClass,
  PermissionResolvedData,
  Risk,
  SessionEndReason,
  TurnEndReason,
} from "@computeragent/protocol";

/** The words of the wire as lists. Copies, so that a browser bundle needs no schema library; a test compares them. */
export const BILLINGS = ["metered", "subscription", "offline", "unknown"] as const satisfies readonly Billing[];

/** What an engine can do. */
export const CAPABILITIES = [
  "streaming_input",
  "partials",
  "hitl",
  "modify",
  "interrupt",
  "steer",
  "fork",
  "sessions",
  "recovery",
  "budget",
] as const satisfies readonly Capability[];

/** How a permission request ended. */
export const DECISIONS = [
  "allow",
  "deny",
  "modify",
  "expired",
  "cancelled",
] as const satisfies readonly PermissionResolvedData["decision"][];

/** How an error may be treated. */
export const ERROR_CLASSES = ["transient", "limited", "permanent"] as const satisfies readonly ErrorClass[];

/** How dangerous a call is. */
export const RISKS = ["low", "medium", "high", "destructive"] as const satisfies readonly Risk[];

/** Why a turn ended. */
export const TURN_ENDS = [
  "complete",
  "interrupted",
  "max_turns",
  "error",
  "owner_lost",
] as const satisfies readonly TurnEndReason[];

/** Why a session ended. */
export const SESSION_ENDS = [
  "complete",
  "cancelled",
  "error",
  "budget_exceeded",
  "deleted",
  "expired",
  "shutdown",
] as const satisfies readonly SessionEndReason[];
