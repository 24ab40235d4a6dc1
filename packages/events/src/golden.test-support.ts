import { readFile } from "node:fs/promises";
import { createClaudeNormalizer } from "./claude/normalize-claude.ts";
import { type Conversation, emptyConversation } from "./conversation/conversation.ts";
import { reduceConversation } from "./conversation/reduce-conversation.ts";
import { type SentMessage, withUserMessage } from "./conversation/user-messages.ts";
import type { NormalizedEvent } from "./normalized-event.ts";
import { fromWire, type WireEvent } from "./raw-event.ts";

/** Folder of the recordings: one folder each. */
export const GOLDEN = new URL("./golden/", import.meta.url);

/** A recording: the events of the wire, and the messages that were sent (`after`: the newest event at that time). */
export interface Golden {
  readonly events: readonly WireEvent[];
  readonly messages: readonly (SentMessage & { readonly after: number | null })[];
}

/** Reads a recording. */
export async function readGolden(name: string): Promise<Golden> {
  const events = await readLines<WireEvent>(name, "events.jsonl");
  const messages = JSON.parse(await readFile(new URL(`${name}/messages.json`, GOLDEN), "utf8")) as Golden["messages"];
  return { events, messages };
}

/** Reads a file of JSON lines of a recording. */
export async function readLines<T>(name: string, file: string): Promise<T[]> {
  const text = await readFile(new URL(`${name}/${file}`, GOLDEN), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

/** What a recording comes to, as a client that sent the messages sees it. */
export function runGolden({ events, messages }: Golden): {
  readonly normalized: readonly NormalizedEvent[];
  readonly conversation: Conversation;
} {
  const normalizer = createClaudeNormalizer();
  const normalized: NormalizedEvent[] = [];
  let conversation = emptyConversation();
  const tell = (seq: number | null): void => {
    for (const message of messages) if (message.after === seq) conversation = withUserMessage(conversation, message);
  };
  tell(null);
  for (const raw of events.map(fromWire)) {
    const bodies = normalizer.push(raw);
    normalized.push(...bodies);
    conversation = bodies.reduce(reduceConversation, conversation);
    if (raw.seq !== null) tell(raw.seq);
  }
  return { normalized, conversation };
}
