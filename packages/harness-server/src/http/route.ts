import { type Principal, ROUTES, type RouteName, type RouteSpec, WireError } from "@computeragent/protocol";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Host } from "../services/host.ts";
import type { Session } from "../session/session.ts";
import { JsonAnswer } from "./answer.ts";
import { checkMediaType, incomingOf, requireScope } from "./guard.ts";
import type { Idempotency } from "./idempotency.ts";
import { check, parseJson, parseShortJson, readBody } from "./json-body.ts";
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
  handle: (call: Call<N>) => Promise<Response | JsonAnswer> | Response | JsonAnswer,
): BoundRoute {
  const spec: RouteSpec = ROUTES[name];
  return {
    spec,
    mount(app, host, idempotency) {
      app.on(spec.method, spec.path, async (c) => {
        const request = c.req.raw;
        const principal = await requireScope(request, host, spec.scope ?? "read");
        const incoming = incomingOf(c);
        if (spec.body !== "bytes") checkMediaType(request, incoming !== undefined);
        const query = readQuery(c.req.url, spec.query);
        const bytes = spec.body === "bytes" ? undefined : await readBody(request, host.config.limits, incoming);
        const found = bytes && parseBody(spec, bytes);
        const call = {
          c,
          host,
          principal,
          body: (found instanceof Promise ? await found : found) as BodyOf<N>,
          query: query as QueryOf<N>,
          param: (key: string) => c.req.param(key) ?? "",
          session: () => requireSession(host, c.req.param("sessionId") ?? "", principal),
        };
        const key = c.req.header("idempotency-key");
        const work = async (): Promise<Response | JsonAnswer> => handle(call);
        const scope = [principal.id, spec.method, c.req.path];
        const answer =
          spec.idempotent && key !== undefined
            ? await idempotency
                .run({ scope, key, body: bytes ?? new Uint8Array() }, () => asJson(work()))
                .catch(rethrow)
            : await work().catch(rethrow);
        return answer instanceof JsonAnswer ? answer.send(c) : answer;
      });
    },
  };
}

async function asJson(answer: Promise<Response | JsonAnswer>): Promise<JsonAnswer> {
  const found = await answer;
  if (found instanceof JsonAnswer) return found;
  throw new TypeError("only a JSON answer can be given again");
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

/** The checked body, or a promise of it where it is large. */
function parseBody(spec: RouteSpec, bytes: Uint8Array): unknown {
  if (!spec.body || spec.body === "bytes") return undefined;
  const { body } = spec;
  if (bytes.byteLength > LARGE_BYTES) return inLane(async () => check(body, await parseJson(bytes), "body"));
  if (bytes.byteLength > 0) return check(body, parseShortJson(bytes), "body");
  if (spec.bodyOptional) return check(body, {}, "body");
  throw new WireError("VALIDATION", "a JSON body is required");
}
