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
  #folder = "";

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

  /** One line that says what a tool call does, seen from the folder in which the agent works. */
  describe(toolName: string, input: JsonObject): string {
    return describeCall(toolName, input, this.#folder);
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
    if (message.type === "system") this.#system(message);
    if (message.type === "stream_event") this.#delta(objectOf(message.event), parent);
    // What a failed model call leaves in place of an answer is told once, with the end of the turn.
    if (message.type !== "assistant" || message.is_api_error_message === true) return;
    const content = objectOf(message.message).content;
    for (const block of Array.isArray(content) ? content : []) this.#block(objectOf(block), parent);
    this.#streamed = false;
  }

  #system(message: JsonObject): void {
    if (message.subtype === "init") this.#folder = textOf(message.cwd);
    if (message.subtype !== "api_retry") return;
    const status = typeof message.error_status === "number" ? ` (${message.error_status})` : "";
    this.note(`a model call failed${status}; trying again, ${message.attempt} of ${message.max_retries}`);
  }

  #delta(event: JsonObject, parent: JsonValue): void {
    const delta = objectOf(event.delta);
    if (parent !== null || event.type !== "content_block_delta" || delta.type !== "text_delta") return;
    this.#streamed = true;
    this.#text(textOf(delta.text));
  }

  #block(block: JsonObject, parent: JsonValue): void {
    if (block.type === "tool_use")
      this.note(`${parent === null ? "" : "  "}-> ${this.describe(textOf(block.name), objectOf(block.input))}`);
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
