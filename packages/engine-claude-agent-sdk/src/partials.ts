import type { EngineEvent, JsonObject, PartialText } from "@computeragent/protocol";
import { number, object, string } from "./json.ts";

/** Which field of which delta carries growing text. */
const TEXT_FIELDS: Readonly<Record<string, { readonly type: string; readonly field: string }>> = {
  text_delta: { type: "text", field: "text" },
  thinking_delta: { type: "thinking", field: "thinking" },
  input_json_delta: { type: "input_json", field: "partial_json" },
};

/** Finds the pieces of growing text among the messages of one session, and the messages after which a text grows no more. */
export class PartialMarker {
  /** The open channel of each conversation: the main one or a sub-agent's. */
  readonly #open = new Map<string, string>();

  /** The mark of a message, if it has one. To be called for every message, in order. */
  mark(message: JsonObject): PartialText | undefined {
    const parent = string(message.parent_tool_use_id) ?? "main";
    if (message.type === "result") return this.#end("main");
    // The whole block comes before its stop event: what is held back of the pieces must not come after the whole.
    if (message.type === "assistant") return this.#end(parent);
    if (message.type !== "stream_event") return undefined;
    const event = object(message.event);
    switch (event.type) {
      case "content_block_delta":
        return this.#delta(parent, event);
      // A block that was cut off is ended by whatever comes next.
      case "content_block_stop":
      case "content_block_start":
      case "message_start":
        return this.#end(parent);
      default:
        return undefined;
    }
  }

  #delta(parent: string, event: JsonObject): PartialText | undefined {
    const delta = object(event.delta);
    const type = string(delta.type) ?? "";
    const known = Object.hasOwn(TEXT_FIELDS, type) ? TEXT_FIELDS[type] : undefined;
    if (!known || string(delta[known.field]) === undefined) return undefined;
    const channel = `${parent}:${number(event.index) ?? 0}:${known.type}`;
    this.#open.set(parent, channel);
    return { channel, path: ["event", "delta", known.field] };
  }

  #end(parent: string): PartialText | undefined {
    const channel = this.#open.get(parent);
    if (channel === undefined) return undefined;
    this.#open.delete(parent);
    return { channel, end: true };
  }
}

/** A message of the CLI as an event of the engine. `final`: it is the turn's result. */
export function messageEvent(marker: PartialMarker, payload: JsonObject, final: boolean): EngineEvent {
  const partial = marker.mark(payload);
  return { kind: "message", payload, ...(partial ? { partial } : {}), ...(final ? { final } : {}) };
}
