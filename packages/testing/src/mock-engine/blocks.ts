import type { JsonObject, PartialText } from "@computeragent/protocol";
import type { TurnScope } from "./turn-scope.ts";

const DELTA_CHARS = 24;

/** How a kind of block arrives in pieces. */
interface BlockKind {
  readonly channel: string;
  readonly start: JsonObject;
  readonly delta: (piece: string) => JsonObject;
  /** Key of the growing text inside the delta. */
  readonly key: string;
}

/** Text, thinking, or the input of a tool call, as streamed. */
export const TEXT: BlockKind = {
  channel: "main:0:text",
  start: { type: "text", text: "" },
  delta: (text) => ({ type: "text_delta", text }),
  key: "text",
};
export const THINKING: BlockKind = {
  channel: "main:0:thinking",
  start: { type: "thinking", thinking: "", signature: "" },
  delta: (thinking) => ({ type: "thinking_delta", thinking }),
  key: "thinking",
};
export const toolBlock = (id: string, name: string): BlockKind => ({
  channel: "main:0:input",
  start: { type: "tool_use", id, name, input: {} },
  delta: (partial_json) => ({ type: "input_json_delta", partial_json }),
  key: "partial_json",
});

/** Sends one assistant message of one block; with partials on, first piece by piece. */
export async function sendBlock(turn: TurnScope, kind: BlockKind, text: string, block: JsonObject): Promise<void> {
  const message = openMessage(turn);
  await message.startBlock(kind);
  for (const piece of text.match(new RegExp(`[^]{1,${DELTA_CHARS}}`, "gu")) ?? []) await message.delta(kind, piece);
  turn.meter.wrote(text.length);
  await message.endBlock(kind, block);
  await message.end(kind.start.type === "tool_use" ? "tool_use" : "end_turn");
}

/** One assistant message in the making. Blocks come one after the other; partials only if the session wants them. */
export interface OpenMessage {
  startBlock(kind: BlockKind): Promise<void>;
  delta(kind: BlockKind, piece: string): Promise<void> | undefined;
  endBlock(kind: BlockKind, block: JsonObject): Promise<void>;
  end(stopReason: string): Promise<void>;
}

/** Starts an assistant message. */
export function openMessage(turn: TurnScope): OpenMessage {
  const { payloads, emit } = turn;
  const id = turn.ids.message();
  const usage = (): JsonObject => ({ ...turn.meter.tokens() });
  const partials = turn.context.includePartials;
  let index = -1;
  const stream = (event: JsonObject, partial?: PartialText): Promise<void> | undefined =>
    partials ? emit(payloads.stream(event, partial)) : undefined;
  return {
    async startBlock(kind) {
      if (index < 0) await stream({ type: "message_start", message: { id, role: "assistant", content: [] } });
      index++;
      await stream({ type: "content_block_start", index, content_block: kind.start });
    },
    delta: (kind, piece) =>
      stream(
        { type: "content_block_delta", index, delta: kind.delta(piece) },
        { channel: kind.channel, path: ["event", "delta", kind.key] },
      ),
    async endBlock(kind, block) {
      await stream({ type: "content_block_stop", index }, { channel: kind.channel, end: true });
      await emit(payloads.assistant(id, block, usage()));
    },
    async end(stopReason) {
      await stream({ type: "message_delta", delta: { stop_reason: stopReason, stop_sequence: null }, usage: usage() });
      await stream({ type: "message_stop" });
    },
  };
}
