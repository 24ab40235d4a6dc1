import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "@computeragent/protocol";
import { errorObject } from "../../anthropic/errors.ts";
import type { Act, Plan } from "../script/act.ts";
import { envelope, newId, type OfflineUsage, stopReason, streamPiece } from "./message.ts";

const BATCH_CHARS = 16_384;
const PING_MS = 15_000;
const PIECE = /[\s\S]{1,48}/gu;

type Delta = "text" | "thinking" | "signature" | "partial_json";
const DELTA_TYPES = {
  text: "text_delta",
  thinking: "thinking_delta",
  signature: "signature_delta",
  partial_json: "input_json_delta",
} as const;

/** Collects server-sent events; hands them out in batches. */
class EventText {
  #text = "";
  #index = -1;
  #open = false;

  event(type: string, data: object): void {
    this.#text += `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /** Opens a block; an open text block goes on instead, on a new line. */
  open(block: JsonObject): void {
    if (this.#open && block.type === "text") {
      this.delta("text", "\n");
      return;
    }
    this.close();
    this.#open = true;
    this.#index++;
    this.event("content_block_start", { type: "content_block_start", index: this.#index, content_block: block });
  }

  delta(field: Delta, value: string): void {
    const delta = { type: DELTA_TYPES[field], [field]: value };
    this.event("content_block_delta", { type: "content_block_delta", index: this.#index, delta });
  }

  close(): void {
    if (this.#open) this.event("content_block_stop", { type: "content_block_stop", index: this.#index });
    this.#open = false;
  }

  /** What has gathered, if it is at least `size` characters. */
  *take(size = 1): Generator<Uint8Array> {
    if (this.#text.length < size) return;
    yield Buffer.from(this.#text);
    this.#text = "";
  }
}

async function* pause(out: EventText, ms: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  yield* out.take();
  for (let left = ms; left > 0; left -= PING_MS) {
    await wait(Math.min(left, PING_MS), undefined, { signal });
    if (left > PING_MS) {
      out.event("ping", { type: "ping" });
      yield* out.take();
    }
  }
}

async function* play(act: Act, out: EventText, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  switch (act.kind) {
    case "text":
      out.open({ type: "text", text: "" });
      for (const [piece] of act.text.matchAll(PIECE)) out.delta("text", piece);
      break;
    case "stream":
      out.open({ type: "text", text: "" });
      for (let index = 0; index < act.count; index++) {
        if (index > 0 && act.delayMs > 0) yield* pause(out, act.delayMs, signal);
        out.delta("text", streamPiece(index, act.bytes));
        yield* out.take(BATCH_CHARS);
      }
      break;
    case "think":
      out.open({ type: "thinking", thinking: "", signature: "" });
      out.delta("thinking", act.text);
      out.delta("signature", "offline");
      out.close();
      break;
    case "tool":
      out.open({ type: "tool_use", id: newId("toolu"), name: act.name, input: {} });
      out.delta("partial_json", JSON.stringify(act.input));
      out.close();
      break;
    case "sleep":
      yield* pause(out, act.ms, signal);
      break;
    case "usage":
    case "error":
      break;
  }
}

/** A Messages answer as server-sent events. An error among the acts ends it with an `error` event. Rejects when aborted. */
export async function* messageEvents(plan: Plan, usage: OfflineUsage, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const out = new EventText();
  const message = envelope(plan.model, { ...usage, output_tokens: 1 });
  out.event("message_start", { type: "message_start", message });
  for (const act of plan.acts) {
    if (act.kind === "error") {
      out.event("error", errorObject(act.status, `The offline script asks for the error ${act.status}.`));
      yield* out.take();
      return;
    }
    yield* play(act, out, signal);
    yield* out.take(BATCH_CHARS);
  }
  out.close();
  const delta = { stop_reason: stopReason(plan), stop_sequence: null };
  out.event("message_delta", { type: "message_delta", delta, usage });
  out.event("message_stop", { type: "message_stop" });
  yield* out.take();
}
