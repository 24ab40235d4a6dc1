import { z } from "zod";

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A JSON object. */
export type JsonObject = { [key: string]: JsonValue };

/** A JSON object of any shape, checked to be an object only: the wire parser has already made it JSON. */
export const JsonObjectSchema = z.record(z.string(), z.json()).meta({ id: "JsonObject" });
