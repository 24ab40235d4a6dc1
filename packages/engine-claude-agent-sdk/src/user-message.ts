import { randomUUID, type UUID } from "node:crypto";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { EngineInput } from "@computeragent/protocol";

type Content = SDKUserMessage["message"]["content"];

/** Commands of the CLI that a user's text may call; all others are text. Skills of the session come on top. */
const COMMANDS = ["compact", "clear", "usage"];

/** A user message with the uuid by which the CLI reports what became of it. */
export type SentMessage = SDKUserMessage & { readonly uuid: UUID };

/** One input as one message. Text that would call a command which is not allowed goes out as plain text. */
export function toUserMessage(input: EngineInput, skills: readonly string[]): SentMessage {
  const [only, ...more] = input.messages;
  const plain = only !== undefined && more.length === 0 && typeof only.content === "string" ? only.content : undefined;
  // The wire knows Anthropic's content blocks only by their `type`; the API checks the rest.
  const content = plain ?? (input.messages.flatMap(({ content }) => toBlocks(content)) as unknown as Content);
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    uuid: randomUUID(),
    ...(callsOnlyAllowed(input, skills) ? {} : { client_composed: true }),
  };
}

type Blocks = Exclude<EngineInput["messages"][number]["content"], string>;

function toBlocks(content: string | Blocks): Blocks {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function callsOnlyAllowed(input: EngineInput, skills: readonly string[]): boolean {
  const texts = input.messages.flatMap(({ content }) => toBlocks(content)).map((block) => block.text);
  return texts.every((text) => {
    const called = typeof text === "string" ? /^\s*\/(\S*)/.exec(text)?.[1] : undefined;
    if (called === undefined) return true;
    return COMMANDS.includes(called) || skills.some((skill) => called === skill || called.endsWith(`:${skill}`));
  });
}
