import type { JsonObject, JsonValue } from "@computeragent/protocol";
import { asList, asObject, asText } from "../../anthropic/json.ts";
import { blocksOf } from "./conversation.ts";
import { isCompaction } from "./texts.ts";

/** A request that Claude Code makes for itself, beside the conversation. */
export type Auxiliary = { readonly kind: "text"; readonly text: string } | { readonly kind: "compaction" };

const MAX_DEPTH = 8;

/** The smallest value that a JSON Schema allows, as far as types, enums and required properties tell. */
function instanceOf(schema: JsonObject, name: string, depth = 0): JsonValue {
  const fixed = schema.const ?? asList(schema.enum)[0] ?? schema.default;
  if (fixed !== undefined) return fixed;
  const branch = asList(schema.anyOf)[0] ?? asList(schema.oneOf)[0];
  if (branch !== undefined && depth < MAX_DEPTH) return instanceOf(asObject(branch), name, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return typeof schema.minimum === "number" ? schema.minimum : 0;
  if (type === "array" || type === "null") return type === "array" ? [] : null;
  if (type !== "object" && schema.properties === undefined) return name === "title" ? "Offline session" : "offline";
  const properties = asObject(schema.properties);
  const required = asList(schema.required).filter((key) => typeof key === "string");
  if (depth >= MAX_DEPTH) return {};
  return Object.fromEntries(required.map((key) => [key, instanceOf(asObject(properties[key]), key, depth + 1)]));
}

/** Recognises such a request; `null` = part of the conversation. */
export function auxiliaryOf(body: JsonObject): Auxiliary | null {
  const last = asList(body.messages)
    .map(asObject)
    .findLast((message) => message.role === "user");
  const text = asText(blocksOf(last?.content).findLast((block) => block.type === "text")?.text);
  const format = asObject(asObject(body.output_config).format);
  if (format.type === "json_schema" && asList(body.tools).length === 0) {
    return { kind: "text", text: JSON.stringify(instanceOf(asObject(format.schema), "")) };
  }
  if (text.startsWith("[SUGGESTION MODE:")) return { kind: "text", text: "!say hello" };
  return isCompaction(text) ? { kind: "compaction" } : null;
}
