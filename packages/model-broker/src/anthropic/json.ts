import type { JsonObject, JsonValue } from "@computeragent/protocol";

/** The value as an object; an empty one when it is none. */
export const asObject = (value: JsonValue | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

/** The value as a list; an empty one when it is none. */
export const asList = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

/** The value as text; empty when it is none. */
export const asText = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** The value as a count: a whole number from 0; `fallback` when it is none. */
export const asCount = (value: JsonValue | undefined, fallback = 0): number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.floor(value) : fallback;

/** Reads a JSON object from bytes; `null` when they are none. */
export function parseObject(bytes: Uint8Array | string): JsonObject | null {
  try {
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
