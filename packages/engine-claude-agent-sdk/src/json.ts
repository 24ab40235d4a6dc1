import type { JsonObject, JsonValue } from "@computeragent/protocol";

/** The value as an object, or an empty one. Messages of the engine are read leniently: their shapes grow. */
export function object(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** The value if it is a string. */
export function string(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a finite number. */
export function number(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The strings in the value if it is a list. */
export function strings(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
