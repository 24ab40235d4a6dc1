import type { JsonObject } from "@computeragent/protocol";
import type { NormalizedBody } from "../normalized-event.ts";
import { idOf, objectOf, stringOf, stringsOf, textOf } from "../shape.ts";

type Reader = (message: JsonObject) => readonly NormalizedBody[];

const notice = (level: "info" | "warning", code: string, message: string): NormalizedBody => ({
  event: "notice",
  level,
  code,
  message,
});

/** A message of the program that comes with a text for people. */
const spoken =
  (level: "info" | "warning", otherwise: string): Reader =>
  (message) => [notice(level, textOf(message.subtype), idOf(message.content) ?? otherwise)];

const READERS: Readonly<Record<string, Reader>> = {
  init: ({ model }) => [{ event: "session", state: "engine_ready", model: stringOf(model) ?? null }],
  api_retry: ({ attempt, max_retries, error_status, error }) => {
    const cause = typeof error_status === "number" ? `${textOf(error) || "error"} (${error_status})` : textOf(error);
    const text = `The model call failed: ${cause || "no answer"}. Attempt ${count(attempt)} of ${count(max_retries)}.`;
    return [{ event: "notice", level: "warning", code: "api_retry", message: text, progress: true }];
  },
  compact_boundary: () => [notice("info", "compacted", "Older parts of the conversation were summarised.")],
  informational: (message) => spoken(message.level === "warning" ? "warning" : "info", "")(message),
  local_command_output: (message) => {
    const text = textOf(message.content);
    const itemId = idOf(message.uuid);
    if (itemId === undefined) return [];
    return [{ event: "message.completed", itemId, role: "assistant", text, blocks: [{ type: "text", text }] }];
  },
  mirror_error: ({ error }) => [notice("warning", "mirror_error", textOf(error) || "The transcript was not stored.")],
  model_consent_fallback: spoken("warning", "Another model answers."),
  model_fallback: spoken("warning", "Another model answers."),
  model_refusal_fallback: (message) => {
    const sources = stringsOf(message.retracted_message_uuids);
    const said = spoken("warning", "The model refused; another one answers.")(message);
    return sources.length === 0 ? said : [{ event: "message.discarded", itemIds: [], sources }, ...said];
  },
  model_refusal_no_fallback: spoken("warning", "The model refused to answer."),
  session_writes_lost: ({ error_code }) => [
    notice("warning", "session_writes_lost", `The transcript could not be saved (${textOf(error_code)}).`),
  ],
};

/** What a message of the program itself says, if it is one that people or the conversation need. */
export function systemEvents(message: JsonObject): readonly NormalizedBody[] {
  const subtype = textOf(message.subtype);
  return Object.hasOwn(READERS, subtype) ? (READERS[subtype]?.(objectOf(message)) ?? []) : [];
}

const count = (value: unknown): string => (typeof value === "number" ? String(value) : "?");
