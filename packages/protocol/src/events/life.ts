import { z } from "zod";
import { ERROR_CODE_NAMES, ErrorClass } from "../errors.ts";
import { JsonObjectSchema } from "../json.ts";
import { IdentityInfo } from "../wire/identity.ts";
import { Billing, Capability, Usage } from "../wire/vocabulary.ts";

/** `ca_session_started`: always event 0. `epoch` changes only when a log is restored from a backup. */
export const SessionStartedData = z
  .object({
    sessionId: z.string(),
    harness: z.string(),
    gap: IdentityInfo.nullable(),
    model: z.string().nullable(),
    route: z.string().nullable(),
    capabilities: z.array(Capability),
    protocolVersion: z.string(),
    epoch: z.string(),
  })
  .meta({ id: "SessionStarted" });
export type SessionStartedData = z.infer<typeof SessionStartedData>;

/** What went wrong in an engine. `until` (ISO 8601) with class `limited`, where known. */
export const EngineErrorData = z
  .object({
    class: ErrorClass,
    message: z.string(),
    code: z.string().optional(),
    until: z.string().optional(),
  })
  .meta({ id: "EngineError" });
export type EngineErrorData = z.infer<typeof EngineErrorData>;

/** `ca_turn_started`. */
export const TurnStartedData = z
  .object({ turnId: z.string(), messageIds: z.array(z.string()) })
  .meta({ id: "TurnStarted" });
export type TurnStartedData = z.infer<typeof TurnStartedData>;

/** Why a turn ended. */
export const TurnEndReason = z.enum(["complete", "interrupted", "max_turns", "error", "owner_lost"]);
export type TurnEndReason = z.infer<typeof TurnEndReason>;

/** `ca_turn_ended`. `usage` is of this turn alone. `messageIds` includes messages steered into it. */
export const TurnEndedData = z
  .object({
    turnId: z.string(),
    messageIds: z.array(z.string()).optional(),
    reason: TurnEndReason,
    error: EngineErrorData.optional(),
    usage: Usage,
  })
  .meta({ id: "TurnEnded" });
export type TurnEndedData = z.infer<typeof TurnEndedData>;

/** `ca_usage_snapshot`, once per scope at each turn's end. */
export const UsageSnapshotData = Usage.extend({
  scope: z.enum(["turn", "session"]),
  turnId: z.string().optional(),
  billing: Billing,
  compute_seconds_substrate: z.number().nonnegative().optional(),
}).meta({ id: "UsageSnapshot" });
export type UsageSnapshotData = z.infer<typeof UsageSnapshotData>;

/** `ca_substrate_event`. */
export const SubstrateEventData = z
  .object({ kind: z.string(), port: z.number().int(), public_url: z.string() })
  .meta({ id: "SubstrateEvent" });

/** `ca_notice`: what was loaded but cannot be honoured, and the like. */
export const NoticeData = z
  .object({
    level: z.enum(["info", "warning"]),
    code: z.string(),
    path: z.string().optional(),
    message: z.string(),
  })
  .meta({ id: "Notice" });
export type NoticeData = z.infer<typeof NoticeData>;

/** Why a session ended. */
export const SessionEndReason = z.enum([
  "complete",
  "cancelled",
  "error",
  "budget_exceeded",
  "deleted",
  "expired",
  "shutdown",
]);
export type SessionEndReason = z.infer<typeof SessionEndReason>;

/** `ca_session_ended`: the last event. `final` is the engine's last result message. */
export const SessionEndedData = z
  .object({
    reason: SessionEndReason,
    error: z.object({ code: z.enum(ERROR_CODE_NAMES), class: ErrorClass, message: z.string().optional() }).optional(),
    final: JsonObjectSchema.optional(),
  })
  .meta({ id: "SessionEnded" });
export type SessionEndedData = z.infer<typeof SessionEndedData>;
