import { z } from "zod";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON object of any shape, checked to be an object only: the wire parser has already made it JSON. */
export const JsonObjectSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: "JsonObject" }) as unknown as z.ZodType<JsonObject>;

/** How deep the objects and arrays of a request body may nest. */
export const MAX_JSON_DEPTH = 128;

/** True unless `value` nests deeper than `MAX_JSON_DEPTH`: whatever handles it later may recurse. */
export function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter((item) => typeof item === "object" && item !== null);
    if (inner.length > 0 && depth === MAX_JSON_DEPTH) return false;
    level = inner.flatMap((item) => Object.values(item as object));
  }
  return true;
}

/** Refinement of bodies that carry free JSON. */
export const SHALLOW = [isShallow, `nests deeper than ${MAX_JSON_DEPTH} levels`] as const;
