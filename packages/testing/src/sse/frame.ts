import type { JsonObject, JsonValue } from "@computeragent/protocol";

/** One thing that came over a stream: an event, or a comment (then `event` and `data` are empty). */
export interface SseFrame {
  /** The number of a stored event, null for control frames and comments. */
  readonly id: number | null;
  readonly event: string;
  /** JSON text as it was sent. */
  readonly data: string;
  readonly comment?: string;
}

/** A stream that breaks the rules of the protocol. */
export class SseViolation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SseViolation";
  }
}

/** The data of a frame as a JSON object. */
export function jsonOf(frame: SseFrame): JsonObject {
  const value = JSON.parse(frame.data) as JsonValue;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SseViolation(`the data of ${frame.event} is not a JSON object`);
  }
  return value;
}
