import type { JsonObject, JsonValue } from "@computeragent/protocol";
import type { StreamItem } from "@computeragent/sdk";
import { describeCall, oneLine, printable } from "./summary.ts";

/** Where a run is shown: the agent's text on `out`, everything else on `err`. */
export interface Streams {
  readonly out: NodeJS.WritableStream;
  readonly err: NodeJS.WritableStream;
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** Shows the events of a run: text as it streams, a line per tool call, notices and errors. */
export class Printer {
  readonly #streams: Streams;
  #midLine = false;
  #streamed = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  show(item: StreamItem): void {
    if (item.type === "sdk_message") this.#message(item.data);
    else {
      const note = noteOf(item);
      if (note !== undefined) this.note(note);
    }
  }

  /** A line beside the agent's text. */
  note(text: string): void {
    this.#endLine();
    this.#streams.err.write(`${printable(text)}\n`);
  }

  /** Ends a line that was begun. */
  finish(): void {
    this.#endLine();
  }

  #message(message: JsonObject): void {
    const parent = message.parent_tool_use_id ?? null;
    if (message.type === "stream_event") this.#delta(objectOf(message.event), parent);
    if (message.type !== "assistant") return;
    const content = objectOf(message.message).content;
    for (const block of Array.isArray(content) ? content : []) this.#block(objectOf(block), parent);
    this.#streamed = false;
  }

  #delta(event: JsonObject, parent: JsonValue): void {
    const delta = objectOf(event.delta);
    if (parent !== null || event.type !== "content_block_delta" || delta.type !== "text_delta") return;
    this.#streamed = true;
    this.#text(textOf(delta.text));
  }

  #block(block: JsonObject, parent: JsonValue): void {
    if (block.type === "tool_use")
      this.note(`${parent === null ? "" : "  "}-> ${describeCall(textOf(block.name), objectOf(block.input))}`);
    else if (block.type === "text" && parent === null) {
      if (!this.#streamed) this.#text(textOf(block.text));
      this.#endLine();
    }
  }

  #text(text: string): void {
    const clean = printable(text);
    if (clean === "") return;
    this.#streams.out.write(clean);
    this.#midLine = !clean.endsWith("\n");
  }

  #endLine(): void {
    if (this.#midLine) this.#streams.out.write("\n");
    this.#midLine = false;
  }
}

/** The line for an event that is no message, if it deserves one. */
function noteOf(item: StreamItem): string | undefined {
  switch (item.type) {
    case "ca_notice":
      return `${item.data.level === "warning" ? "warning" : "note"}: ${item.data.message}`;
    case "ca_permission_resolved":
      return `permission: ${item.data.decision}${item.data.reason ? ` (${oneLine(item.data.reason)})` : ""}`;
    case "ca_turn_ended":
      return item.data.error && `error (${item.data.error.class}): ${item.data.error.message}`;
    case "ca_replay_gap":
      return "warning: some events are no longer kept and were skipped";
    default:
      return undefined;
  }
}
