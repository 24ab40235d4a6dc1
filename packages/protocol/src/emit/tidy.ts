import type { JsonObject, JsonValue } from "../json.ts";

const REF = "#/$defs/";

/** True for a JSON object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tidyObject(schema: JsonObject, rename: (name: string) => string): JsonObject {
  if (typeof schema.$ref === "string" && schema.$ref.startsWith(REF)) {
    return { $ref: rename(schema.$ref.slice(REF.length)) };
  }
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$defs" || key === "$schema") continue;
    if (key === "propertyNames" && JSON.stringify(value) === '{"type":"string"}') continue;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) continue;
    out[key] = tidy(value, rename);
  }
  return out;
}

/**
 * Rewrites what zod emits: references by `rename`, and no keywords that say nothing.
 * Definitions are left out: the caller places them.
 */
export function tidy(value: JsonValue, rename: (name: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => tidy(item, rename));
  return isObject(value) ? tidyObject(value, rename) : value;
}

/** Names of the definitions that a schema refers to, directly. */
export function refsOf(value: JsonValue, prefix: string): Set<string> {
  const found = new Set<string>();
  const walk = (item: JsonValue): void => {
    if (Array.isArray(item)) item.forEach(walk);
    else if (isObject(item)) {
      if (typeof item.$ref === "string" && item.$ref.startsWith(prefix)) found.add(item.$ref.slice(prefix.length));
      Object.values(item).forEach(walk);
    }
  };
  walk(value);
  return found;
}
