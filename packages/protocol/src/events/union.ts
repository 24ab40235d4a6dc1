import { z } from "zod";
import { JsonObjectSchema } from "../json.ts";
import { FsChangeData, ReplayGapData, ResyncData } from "./control.ts";
import {
  NoticeData,
  SessionEndedData,
  SessionStartedData,
  SubstrateEventData,
  TurnEndedData,
  TurnStartedData,
  UsageSnapshotData,
} from "./life.ts";
import { PermissionRequestData, PermissionResolvedData } from "./permission.ts";

/** Data schema of every numbered event, by its SSE `event:` name. */
export const EVENT_SCHEMAS = {
  sdk_message: JsonObjectSchema,
  ca_session_started: SessionStartedData,
  ca_turn_started: TurnStartedData,
  ca_turn_ended: TurnEndedData,
  ca_permission_request: PermissionRequestData,
  ca_permission_resolved: PermissionResolvedData,
  ca_usage_snapshot: UsageSnapshotData,
  ca_substrate_event: SubstrateEventData,
  ca_notice: NoticeData,
  ca_session_ended: SessionEndedData,
} as const;

/** Name of a numbered event. */
export type EventType = keyof typeof EVENT_SCHEMAS;

/** Data schema of frames that have no id and are never stored. */
export const CONTROL_SCHEMAS = {
  ca_replay_gap: ReplayGapData,
  ca_resync: ResyncData,
  ca_permission_request: PermissionRequestData,
} as const;

/** Data schema of the frames of `/fs/watch`. */
export const WATCH_SCHEMAS = { "fs.change": FsChangeData } as const;

/** Data of one event by its name. */
export type EventData<T extends EventType> = z.infer<(typeof EVENT_SCHEMAS)[T]>;

/** A numbered event as a client sees it: `id` is the SSE id, contiguous from 0. */
export type HarnessEvent = { [T in EventType]: { id: number; type: T; data: EventData<T> } }[EventType];

/** A frame without an id. */
export type ControlFrame =
  | { type: "ca_replay_gap"; data: ReplayGapData }
  | { type: "ca_resync"; data: ResyncData }
  | { type: "ca_permission_request"; data: PermissionRequestData };

/** Validates the data of an event; an unknown type is an error of the same kind as bad data. */
export function parseEvent(id: number, type: string, data: unknown): z.ZodSafeParseResult<HarnessEvent> {
  return HarnessEventSchema.safeParse({ id, type, data });
}

const arm = <T extends EventType>(type: T) =>
  z.object({ id: z.number().int().nonnegative(), type: z.literal(type), data: EVENT_SCHEMAS[type] });

const HarnessEventSchema = z.discriminatedUnion("type", [
  arm("sdk_message"),
  arm("ca_session_started"),
  arm("ca_turn_started"),
  arm("ca_turn_ended"),
  arm("ca_permission_request"),
  arm("ca_permission_resolved"),
  arm("ca_usage_snapshot"),
  arm("ca_substrate_event"),
  arm("ca_notice"),
  arm("ca_session_ended"),
]) as unknown as z.ZodType<HarnessEvent>;
