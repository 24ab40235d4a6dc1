import type { JsonObject } from "@computeragent/protocol";

/** An event of a session's log as it was committed. `seq` null: a control frame, which has no place in the log. */
export interface RawEvent {
  readonly seq: number | null;
  readonly type: string;
  readonly data: JsonObject;
}

/** An event as a client gets it: `id` is the SSE id; control frames have none. */
export interface WireEvent {
  readonly id?: number | undefined;
  readonly type: string;
  readonly data: unknown;
}

/** Reads an event of the wire (`HarnessEvent`, `ControlFrame`, or what a stream reader made of an SSE frame). Never throws. */
export function fromWire(event: WireEvent): RawEvent {
  const { id, data } = event;
  return {
    seq: id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : null,
    type: event.type,
    data: typeof data === "object" && data !== null && !Array.isArray(data) ? (data as JsonObject) : {},
  };
}
