import { z } from "zod";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON object of any shape, checked to be an object only: the wire parser has already made it JSON. */
export const JsonObjectSchema = z
  .record(z.string(), z.unknown())
  .meta({ id: "JsonObject" }) as unknown as z.ZodType<JsonObject>;

/**
 * The same record, but one that refuses the name `__proto__`: a parser leaves that entry out without a word, and what a
 * client sends is taken whole or refused.
 */
export function whole<T extends z.ZodType>(record: T): z.ZodType<z.infer<T>> {
  return z.preprocess((value, context) => {
    if (typeof value === "object" && value !== null && Object.hasOwn(value, "__proto__")) {
      context.addIssue({ code: "custom", path: ["__proto__"], message: "is no name that an entry can have" });
    }
    return value;
  }, record) as unknown as z.ZodType<z.infer<T>>;
}

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
