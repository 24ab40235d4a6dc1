import type { JsonObject, JsonValue } from "@computeragent/protocol";
import { createOfflineModel } from "../model.ts";
import type { Scenario } from "../scenario/schema.ts";

/** The tools of Claude Code that scripts use. */
export const TOOLS: JsonValue[] = [
  tool("Bash", ["command"]),
  tool("Read", ["file_path"]),
  tool("Write", ["file_path", "content"]),
  tool("Edit", ["file_path", "old_string", "new_string"]),
];

/** A tool whose inputs are all required strings. */
export function tool(name: string, fields: readonly string[]): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "string" }]));
  return { name, description: "", input_schema: { type: "object", properties, required: [...fields] } };
}

/** What Claude Code says about where it works. */
export const ENVIRONMENT: JsonObject = {
  role: "system",
  content:
    "# Environment\nYou have been invoked in the following environment: \n - Primary working directory: /srv/my project\n - Platform: linux",
};

/** A message of the user. */
export const user = (content: JsonValue): JsonObject => ({ role: "user", content });
/** A message of the model. */
export const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
/** A text block. */
export const text = (value: string): JsonObject => ({ type: "text", text: value });
/** A tool call. */
export const use = (id: string, name = "Bash", input: JsonObject = {}): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input,
});
/** A tool's result. */
export const result = (id: string, content: JsonValue = "ok", isError = false): JsonObject => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error: isError,
});

/** Asks the offline model without a stream. */
export async function ask(
  messages: readonly JsonObject[],
  extra: JsonObject = {},
  scenarios: readonly Scenario[] = [],
): Promise<{ status: number; body: JsonObject; text: string }> {
  const request: JsonObject = { model: "m", max_tokens: 100, tools: TOOLS, messages: [...messages], ...extra };
  const answer = await createOfflineModel({ scenarios }).send({
    method: "POST",
    target: "/v1/messages?beta=true",
    headers: {},
    body: Buffer.from(JSON.stringify(request)),
    signal: new AbortController().signal,
  });
  let raw = "";
  for await (const chunk of answer.body) raw += Buffer.from(chunk).toString();
  return { status: answer.status, body: request.stream === true ? {} : (JSON.parse(raw) as JsonObject), text: raw };
}

/** The content blocks of an answer. */
export async function content(...parameters: Parameters<typeof ask>): Promise<JsonObject[]> {
  const { body } = await ask(...parameters);
  return body.content as JsonObject[];
}
