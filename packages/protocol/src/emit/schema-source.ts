import { z } from "zod";
import { EVENT_SCHEMAS } from "../events/union.ts";
import * as protocol from "../index.ts";
import type { JsonObject } from "../json.ts";
import { isObject, tidy } from "./tidy.ts";

/** What zod cannot say: `modify` needs `input`. */
const ADDITIONS: Readonly<Record<string, JsonObject>> = {
  PermissionDecisionBody: {
    if: { properties: { decision: { const: "modify" } }, required: ["decision"] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
    then: { required: ["input"] },
  },
};

function named(): Map<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>();
  for (const value of Object.values(protocol)) {
    if (!(value instanceof z.ZodType)) continue;
    const id = value.meta()?.id;
    if (id !== undefined) schemas.set(id, value);
  }
  return new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every schema of the package that has a name, in order of the names. */
export const NAMED_SCHEMAS: ReadonlyMap<string, z.ZodType> = named();

/** A numbered event as a client sees it: one variant per event name. */
function harnessEvent(rename: (name: string) => string): JsonObject {
  const variants = Object.entries(EVENT_SCHEMAS).map(([type, schema]) => ({
    type: "object",
    properties: {
      id: { type: "integer", minimum: 0 },
      type: { type: "string", const: type },
      data: { $ref: rename(schema.meta()?.id ?? type) },
    },
    required: ["id", "type", "data"],
  }));
  return { oneOf: variants };
}

/** Any schema as JSON Schema 2020-12, as a peer may send it. Named parts are references, made by `rename`. */
export function toJsonSchema(schema: z.ZodType, rename: (name: string) => string): JsonObject {
  const emitted = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" }))) as JsonObject;
  return tidy(emitted, rename) as JsonObject;
}

/** All named schemas, each without its definitions. References are made by `rename`. */
export function definitions(rename: (name: string) => string): Record<string, JsonObject> {
  const all: Record<string, JsonObject> = {};
  for (const [name, schema] of NAMED_SCHEMAS) {
    const emitted = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" }))) as JsonObject;
    const defs = isObject(emitted.$defs) ? emitted.$defs : {};
    all[name] = { ...(tidy(defs[name] ?? emitted, rename) as JsonObject), ...ADDITIONS[name] };
  }
  all.HarnessEvent = harnessEvent(rename);
  return all;
}
