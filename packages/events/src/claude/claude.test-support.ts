import type { JsonObject } from "@computeragent/protocol";
import type { Conversation } from "../conversation/conversation.ts";
import { reduceConversation, replayConversation } from "../conversation/reduce-conversation.ts";
import type { NormalizedEvent } from "../normalized-event.ts";
import { createClaudeNormalizer } from "./normalize-claude.ts";

const STARTED = {
  sessionId: "sess_1",
  harness: "claude-agent-sdk",
  gap: null,
  model: null,
  route: "offline",
  capabilities: [],
  protocolVersion: "2026-11-30",
  epoch: "epoch-1",
};

/** A session in its first turn, to which messages of Claude are given. */
export class Rig {
  readonly #normalizer = createClaudeNormalizer();
  #seq = 0;
  conversation: Conversation;

  constructor() {
    this.conversation = replayConversation([]);
    this.host("ca_session_started", STARTED);
    this.host("ca_turn_started", { turnId: "turn_1", messageIds: ["msg_user"] });
  }

  /** The events of a message without their place; `other` ones are left out. */
  claude(...messages: readonly JsonObject[]): JsonObject[] {
    return messages.flatMap((data) => this.host("sdk_message", data));
  }

  host(type: string, data: JsonObject): JsonObject[] {
    const events = this.#normalizer.push({ seq: this.#seq++, type, data });
    this.conversation = events.reduce(reduceConversation, this.conversation);
    return events.filter(({ event }) => event !== "other").map(withoutPlace);
  }

  endTurn(reason: string): JsonObject[] {
    return this.host("ca_turn_ended", { turnId: "turn_1", reason, usage: {} });
  }
}

const withoutPlace = ({ seq: _seq, sub: _sub, ...body }: NormalizedEvent): JsonObject => body as unknown as JsonObject;

/** Messages of Claude in their real shape, reduced to what counts. */
export const claude = {
  stream: (event: JsonObject, parent: string | null = null): JsonObject => ({
    type: "stream_event",
    event,
    parent_tool_use_id: parent,
  }),
  start: (id: string, parent: string | null = null): JsonObject =>
    claude.stream({ type: "message_start", message: { id, role: "assistant", content: [] } }, parent),
  open: (index: number, type: string): JsonObject =>
    claude.stream({ type: "content_block_start", index, content_block: { type } }),
  text: (index: number, text: string): JsonObject =>
    claude.stream({ type: "content_block_delta", index, delta: { type: "text_delta", text } }),
  assistant: (id: string, content: JsonObject[], more: JsonObject = {}): JsonObject => ({
    type: "assistant",
    message: { id, role: "assistant", content, stop_reason: null },
    parent_tool_use_id: null,
    uuid: `uuid-of-${id}`,
    ...more,
  }),
  user: (content: JsonObject[] | string, more: JsonObject = {}): JsonObject => ({
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    uuid: "uuid-of-user",
    ...more,
  }),
  call: (id: string, name: string, input: JsonObject): JsonObject => ({ type: "tool_use", id, name, input }),
  result: (id: string, content: JsonObject[] | string, isError = false): JsonObject => ({
    type: "tool_result",
    tool_use_id: id,
    content,
    is_error: isError,
  }),
};
