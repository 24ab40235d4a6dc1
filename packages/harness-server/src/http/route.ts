import { type Principal, ROUTES, type RouteName, type RouteSpec, WireError } from "@computeragent/protocol";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Host } from "../services/host.ts";
import type { Session } from "../session/session.ts";
import { checkMediaType, isOnWire, requireScope } from "./guard.ts";
import type { Idempotency } from "./idempotency.ts";
import { check, parseJson, readBody } from "./json-body.ts";
import { inLane } from "./lane.ts";
import { readQuery } from "./query.ts";

type Table = typeof ROUTES;
type BodyOf<N extends RouteName> = Table[N] extends { body: infer B }
  ? B extends z.ZodType
    ? z.infer<B>
    : undefined
  : undefined;
type QueryOf<N extends RouteName> = Table[N] extends { query: infer Q extends z.ZodType } ? z.infer<Q> : undefined;

/** What a handler gets: everything is checked already. */
export interface Call<N extends RouteName> {
  readonly c: Context;
  readonly host: Host;
  readonly principal: Principal;
  readonly body: BodyOf<N>;
  readonly query: QueryOf<N>;
  /** A path parameter. */
  param(name: string): string;
  /** The session of the path; throws NOT_FOUND, also for a foreign one. */
  session(): Session;
}

/** A route with its handler. */
export interface BoundRoute {
  readonly spec: RouteSpec;
  mount(app: Hono, host: Host, idempotency: Idempotency): void;
}

/** Binds a handler to a route of the protocol: scope, query, body and idempotency are dealt with here. */
export function route<N extends RouteName>(
  name: N,
  handle: (call: Call<N>) => Promise<Response> | Response,
): BoundRoute {
  const spec: RouteSpec = ROUTES[name];
  return {
    spec,
    mount(app, host, idempotency) {
      app.on(spec.method, spec.path, async (c) => {
        const request = c.req.raw;
        const principal = await requireScope(request, host, spec.scope ?? "read");
        const onWire = isOnWire(c);
        if (spec.body !== "bytes") checkMediaType(request, onWire);
        const query = readQuery(c.req.url, spec.query);
        const bytes = spec.body === "bytes" ? undefined : await readBody(request, host.config.limits, onWire);
        const call = {
          c,
          host,
          principal,
          body: (bytes && (await parseBody(spec, bytes))) as BodyOf<N>,
          query: query as QueryOf<N>,
          param: (key: string) => c.req.param(key) ?? "",
          session: () => requireSession(host, c.req.param("sessionId") ?? "", principal),
        };
        const key = c.req.header("idempotency-key");
        const work = async (): Promise<Response> => handle(call);
        if (!spec.idempotent || key === undefined) return await work().catch(rethrow);
        const scope = [principal.id, spec.method, c.req.path];
        return await idempotency.run({ scope, key, body: bytes ?? new Uint8Array() }, work).catch(rethrow);
      });
    },
  };
}

/** The reason of an abort is a text; what is no error would pass by the error handler. */
function rethrow(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}

function requireSession(host: Host, id: string, principal: Principal): Session {
  const session = host.registry.find(id, principal);
  if (!session) throw new WireError("NOT_FOUND", "no session with this id");
  return session;
}

/** Bodies beyond this are dealt with one at a time. */
const LARGE_BYTES = 64 * 1024;

async function parseBody(spec: RouteSpec, bytes: Uint8Array): Promise<unknown> {
  if (!spec.body || spec.body === "bytes") return undefined;
  if (bytes.byteLength === 0) {
    if (spec.bodyOptional) return check(spec.body, {}, "body");
    throw new WireError("VALIDATION", "a JSON body is required");
  }
  const { body } = spec;
  const read = async (): Promise<unknown> => check(body, await parseJson(bytes), "body");
  return await (bytes.byteLength > LARGE_BYTES ? inLane(read) : read());
}

/** A JSON answer with the headers that every answer has. */
export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
