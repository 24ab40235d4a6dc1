import type { EngineEvent, JsonObject, JsonValue, PartialText, Usage } from "@computeragent/protocol";
import type { Ids } from "./ids.ts";

type Message = Extract<EngineEvent, { kind: "message" }>;

/** Builds messages in the shape that Claude's SDK gives them, so that clients treat both engines alike. */
export class Payloads {
  readonly sessionId: string;
  readonly #ids: Ids;
  readonly #model: string;

  constructor(sessionId: string, ids: Ids, model: string) {
    this.sessionId = sessionId;
    this.#ids = ids;
    this.#model = model;
  }

  init(fields: {
    readonly cwd: string;
    readonly tools: readonly string[];
    readonly skills: readonly string[];
  }): Message {
    return this.#message({
      type: "system",
      subtype: "init",
      cwd: fields.cwd,
      tools: [...fields.tools],
      mcp_servers: [],
      model: this.#model,
      permissionMode: "default",
      slash_commands: [],
      apiKeySource: "none",
      skills: [...fields.skills],
    });
  }

  assistant(messageId: string, block: JsonObject, usage: JsonObject): Message {
    return this.#message({
      type: "assistant",
      message: {
        id: messageId,
        type: "message",
        role: "assistant",
        model: this.#model,
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
      parent_tool_use_id: null,
    });
  }

  user(content: JsonValue, extra: JsonObject = {}): Message {
    return this.#message({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...extra });
  }

  stream(event: JsonObject, partial?: PartialText): Message {
    const message = this.#message({ type: "stream_event", event, parent_tool_use_id: null });
    return partial ? { ...message, partial } : message;
  }

  result(fields: JsonObject, usage: Usage): Message {
    const { cost_usd, ...tokens } = usage;
    const payload = {
      type: "result",
      ...fields,
      duration_ms: 0,
      duration_api_ms: 0,
      total_cost_usd: cost_usd ?? 0,
      usage: tokens,
      modelUsage: {},
    };
    return { ...this.#message(payload), final: true };
  }

  #message(payload: JsonObject): Message {
    return { kind: "message", payload: { ...payload, session_id: this.sessionId, uuid: this.#ids.uuid() } };
  }
}
