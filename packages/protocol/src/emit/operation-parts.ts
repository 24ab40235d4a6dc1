import { z } from "zod";
import { CONTROL_SCHEMAS, EVENT_SCHEMAS, WATCH_SCHEMAS } from "../events/union.ts";
import type { JsonObject } from "../json.ts";
import type { RouteSpec } from "../routes.ts";
import { toJsonSchema } from "./schema-source.ts";

/** Reference to a schema of the document. */
export const component = (name: string): string => `#/components/schemas/${name}`;

const header = (name: string, description: string): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string" },
});

const IF_MATCH = header("If-Match", "Change only this version (ETag).");
const IF_NONE_MATCH = header("If-None-Match", "ETags of versions that must not be changed.");

const HEADERS: Readonly<Record<string, JsonObject[]>> = {
  events: [header("Last-Event-ID", "Id of the last event that was handled. Wins over `after`.")],
  fsRead: [header("Range", "One byte range."), header("If-None-Match", "ETag of the copy that the caller has.")],
  fsWrite: [
    header("If-Match", "Write only over this version (ETag)."),
    header("If-None-Match", "`*`: write only if there is no such file."),
  ],
  fsEdit: [IF_MATCH, IF_NONE_MATCH],
  fsDelete: [IF_MATCH, IF_NONE_MATCH],
  fsMove: [IF_MATCH, IF_NONE_MATCH],
};

/** Path, query and header parameters of a route. */
export function parameters(name: string, route: RouteSpec): JsonObject[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, param = ""]) => ({
    name: param,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const shape = route.query instanceof z.ZodObject ? (route.query.shape as Record<string, z.ZodType>) : {};
  const inQuery = Object.entries(shape).map(([param, schema]) => ({
    name: param,
    in: "query",
    required: !schema.safeParse(undefined).success,
    schema: toJsonSchema(schema, component),
  }));
  const key = route.idempotent ? [header("Idempotency-Key", "Makes a repeat of this request harmless.")] : [];
  return [...inPath, ...inQuery, ...(HEADERS[name] ?? []), ...key];
}

/** The body that a route takes, if any. */
export function requestBody(route: RouteSpec): JsonObject | undefined {
  if (route.body === undefined) return undefined;
  const required = route.bodyOptional !== true;
  if (route.body === "bytes") return { required, content: { "application/octet-stream": { schema: {} } } };
  return { required, content: { "application/json": { schema: toJsonSchema(route.body, component) } } };
}

function frames(schemas: Readonly<Record<string, z.ZodType>>): JsonObject {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, component)]));
}

const STREAMS: Readonly<Record<"events" | "watch", JsonObject>> = {
  events: {
    description: "Numbered events (`id:`), control frames without an id, and comments as heartbeats.",
    content: {
      "text/event-stream": {
        schema: { type: "string" },
        "x-sse-events": frames(EVENT_SCHEMAS),
        "x-sse-control-frames": frames(CONTROL_SCHEMAS),
      },
    },
  },
  watch: {
    description: "Changes of files, without ids, and comments as heartbeats.",
    content: { "text/event-stream": { schema: { type: "string" }, "x-sse-control-frames": frames(WATCH_SCHEMAS) } },
  },
};

const ETAG: JsonObject = {
  ETag: {
    description: "Version of the content, quoted: its SHA-256, but for very large files.",
    schema: { type: "string" },
  },
};
const BYTES: JsonObject = {
  description: "The content, with its sniffed type.",
  headers: ETAG,
  content: { "*/*": { schema: {} } },
};

/** The successful answers of a route. */
export function successes(name: string, route: RouteSpec): JsonObject {
  const { response, status, summary } = route;
  if (response === "events" || response === "watch") {
    const finished = { "204": { description: "The session has ended and the cursor already has everything." } };
    return { [status]: STREAMS[response], ...(name === "events" ? finished : {}) };
  }
  if (response === "bytes") {
    return {
      [status]: BYTES,
      "206": { ...BYTES, description: "The range that was asked for." },
      "304": { description: "The caller's copy is current." },
    };
  }
  const content = { "application/json": { schema: toJsonSchema(response, component) } };
  return { [status]: { description: summary, ...(name === "fsWrite" ? { headers: ETAG } : {}), content } };
}
