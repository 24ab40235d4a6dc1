import { ERROR_CODES } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { ROUTES, type RouteSpec } from "../routes.ts";
import { PROTOCOL_VERSION } from "../version.ts";
import { component, parameters, requestBody, successes } from "./operation-parts.ts";
import { definitions } from "./schema-source.ts";

const PROBLEM = { $ref: "#/components/responses/Problem" };

/** Statuses that a route may answer with besides its own, as far as its shape tells. */
function failures(route: RouteSpec): JsonObject {
  const statuses = [
    ...(route.scope === null ? [] : [401, 403]),
    ...(route.path.includes(":") ? [404] : []),
    ...(route.query || route.body ? [400] : []),
    ...(route.body ? [413, 415] : []),
    ...(route.idempotent ? [409] : []),
  ];
  const known = statuses.sort((a, b) => a - b).map((status) => [String(status), PROBLEM]);
  return { ...Object.fromEntries(known), default: PROBLEM };
}

function group(path: string): string {
  if (path.includes("/fs/")) return "files";
  if (path.includes("/permission")) return "permissions";
  return path.startsWith("/v1/sessions") ? "sessions" : path === "/v1/chat" ? "chat" : "host";
}

function operation(name: string, route: RouteSpec): JsonObject {
  const body = requestBody(route);
  return {
    operationId: name,
    summary: route.summary,
    tags: [group(route.path)],
    parameters: parameters(name, route),
    ...(body ? { requestBody: body } : {}),
    responses: { ...successes(name, route), ...failures(route) },
    security: route.scope === null ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(route.scope === null ? {} : { "x-scope": route.scope }),
  };
}

function paths(): JsonObject {
  const all: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    all[path] = { ...all[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return all;
}

/** The OpenAPI 3.1 document of the protocol. */
export function emitOpenApi(): JsonObject {
  const codes = Object.entries(ERROR_CODES).map(([code, { status, title }]) => `- \`${code}\` (${status}): ${title}`);
  return {
    openapi: "3.1.0",
    info: {
      title: "Harness Protocol",
      version: PROTOCOL_VERSION,
      description: "Drive any agent engine over HTTP and server-sent events.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:7700" }],
    paths: paths(),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", description: "The token of the host." } },
      responses: {
        Problem: {
          description: `What went wrong, with a stable code:\n\n${codes.join("\n")}`,
          content: { "application/problem+json": { schema: { $ref: component("Problem") } } },
        },
      },
      schemas: definitions(component),
    },
  };
}
