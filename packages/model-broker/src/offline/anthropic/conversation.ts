import type { JsonObject, JsonValue } from "@computeragent/protocol";
import { asList, asObject, asText } from "../../anthropic/json.ts";
import type { Conversation, ConversationEvent, OfferedTool } from "../conversation.ts";
import { classifyText, remindersOf, steerIn, steersAtEndOf, withoutReminders } from "./texts.ts";

const INTERRUPTED = "[Tool call interrupted";
const NO_ANSWER = "No response requested.";
const CWD = /^[ \t]*(?:- )?(Primary )?[Ww]orking directory:[ \t]*(\S.*?)[ \t]*$/gm;

/** The blocks of a message; a text alone is one block. */
export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return asList(content).map(asObject);
}

/** All text of a content value. */
export const textOf = (content: JsonValue | undefined): string =>
  blocksOf(content)
    .filter((block) => block.type === "text")
    .map((block) => asText(block.text))
    .join("\n");

const messagesOf = (body: JsonObject): readonly JsonObject[] => asList(body.messages).map(asObject);

/** Turns the blocks of user messages into events. Blocks of one message belong together. */
class UserBlocks {
  readonly #events: ConversationEvent[];
  readonly #names: ReadonlyMap<string, string>;
  readonly #glued: boolean;
  #own: string[] = [];
  #media = false;
  #skill = false;

  /** `names`: tool names by call id. `glued`: steered messages stand at the end of tool results. */
  constructor(events: ConversationEvent[], names: ReadonlyMap<string, string>, glued: boolean) {
    this.#events = events;
    this.#names = names;
    this.#glued = glued;
  }

  add(blocks: readonly JsonObject[]): void {
    const afterResults = blocks.some((block) => block.type === "tool_result");
    for (const [index, block] of blocks.entries()) {
      if (block.type === "tool_result") this.#result(block);
      else if (block.type === "text") this.#text(asText(block.text), blocks[index + 1]?.type === "text");
      // A document beside a result is what the tool read, not a message.
      else if (!afterResults) this.#media = true;
    }
    this.#flush();
    this.#skill = false;
  }

  #text(text: string, textFollows: boolean): void {
    const piece = classifyText(text);
    // What a skill says follows its result as if the user had said it.
    const isSkill = this.#skill && piece.kind === "user";
    if (withoutReminders(text).trim() !== "") this.#skill = false;
    if (piece.kind === "user" && !isSkill) this.#own.push(piece.text);
    if (piece.kind === "interrupted" || piece.kind === "recovery") this.#emit({ type: piece.kind });
    if (piece.kind === "steer" || piece.kind === "summary") this.#emit({ type: piece.kind, text: piece.text });
    // Claude Code ends a block so when it joins two messages of the user.
    if (textFollows && text.endsWith("\n")) this.#flush();
  }

  #emit(event: ConversationEvent): void {
    this.#flush();
    this.#events.push(event);
  }

  #result(block: JsonObject): void {
    const name = this.#names.get(asText(block.tool_use_id)) ?? "";
    const raw = textOf(block.content);
    const text = withoutReminders(raw);
    const isError = block.is_error === true;
    this.#emit({ type: "result", outcome: { name, text, isError, interrupted: text.startsWith(INTERRUPTED) } });
    this.#skill = name === "Skill" && !isError;
    if (this.#glued) for (const steer of steersAtEndOf(raw)) this.#events.push({ type: "steer", text: steer });
  }

  #flush(): void {
    if (this.#own.length > 0 || this.#media) this.#events.push({ type: "user", text: this.#own.join("\n") });
    this.#own = [];
    this.#media = false;
  }
}

function assistantEvent(blocks: readonly JsonObject[]): ConversationEvent {
  const texts = blocks.filter((block) => block.type === "text" && asText(block.text).trim() !== "");
  const counts = texts.filter((block) => asText(block.text).trim() !== NO_ANSWER);
  return { type: "assistant", texts: counts.length };
}

function toolsOf(body: JsonObject): OfferedTool[] {
  return asList(body.tools)
    .map(asObject)
    .filter((tool) => typeof tool.name === "string")
    .map((tool) => ({ name: asText(tool.name), schema: asObject(tool.input_schema) }));
}

function cwdOf(places: readonly string[]): string | undefined {
  const found = places.flatMap((text) => [...text.matchAll(CWD)]);
  return (found.findLast((match) => match[1] !== undefined) ?? found.at(-1))?.[2];
}

/** Reads an Anthropic Messages request as Claude Code (or any other client) builds it. */
export function readConversation(body: JsonObject): Conversation {
  const messages = messagesOf(body);
  const events: ConversationEvent[] = [];
  const names = new Map<string, string>();
  const stated = [textOf(body.system)];
  const user = new UserBlocks(events, names, !messages.some((message) => message.role === "system"));
  for (const message of messages) {
    const blocks = blocksOf(message.content);
    if (message.role === "assistant") {
      for (const block of blocks) if (block.type === "tool_use") names.set(asText(block.id), asText(block.name));
      events.push(assistantEvent(blocks));
    } else if (message.role === "system") {
      const text = textOf(message.content);
      stated.push(text);
      const steer = steerIn(text);
      if (steer !== null) events.push({ type: "steer", text: steer });
    } else {
      for (const block of blocks) if (block.type === "text") stated.push(...remindersOf(asText(block.text)));
      user.add(blocks);
    }
  }
  const cwd = cwdOf(stated);
  return { events, tools: toolsOf(body), system: textOf(body.system), ...(cwd === undefined ? {} : { cwd }) };
}
