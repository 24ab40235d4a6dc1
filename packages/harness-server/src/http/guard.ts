import type { IncomingMessage } from "node:http";
import { type Principal, type Scope, WireError } from "@computeragent/protocol";
import type { Context } from "hono";
import type { Host } from "../services/host.ts";

/** The request as it came over a connection of a Node server, undefined for one made in process. */
export function incomingOf(c: Context): IncomingMessage | undefined {
  return (c.env as { readonly incoming?: IncomingMessage } | undefined)?.incoming;
}

/** What stands in the request line, undefined for a request made in process. */
export function targetOf(c: Context): string | undefined {
  const incoming = incomingOf(c);
  return incoming && (incoming.url ?? "");
}

/** Everybody, where the operator switched authentication off. */
const LOCAL: Principal = { id: "local", scopes: ["read", "drive", "approve", "admin"] };

/** Which names a host answers to, in lower case. */
export interface Names {
  readonly hosts: ReadonlySet<string> | "any";
  readonly origins: ReadonlySet<string>;
}

/**
 * Exact Host and Origin checks: a page that rebinds a name, or posts from elsewhere, gets nowhere. `onWire`: the request
 * came over a connection, where a Host header must be; in process the URL says it.
 */
export function checkNames(request: Request, names: Names, onWire: boolean): void {
  const host = request.headers.get("host") ?? (onWire ? "" : new URL(request.url).host);
  if (names.hosts !== "any" && !names.hosts.has(host.toLowerCase())) {
    throw new WireError("HOST_NOT_ALLOWED", "this host does not answer to that name");
  }
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (origin !== null && !names.origins.has(origin.toLowerCase())) {
    throw new WireError("ORIGIN_NOT_ALLOWED", "requests from this origin are not allowed");
  }
  // Another port of this machine is the same site, and still somebody else.
  if (origin === null && (site === "cross-site" || site === "same-site")) {
    throw new WireError("ORIGIN_NOT_ALLOWED", "requests of other pages are not allowed");
  }
}

/** A request line may hold a whole URL, whose name then stands for the Host header: it must be an allowed one too. */
export function checkTarget(target: string, names: Names): void {
  if (target.startsWith("/")) return;
  const authority = /^http:\/\/([^/?#@]+)(?=[/?#]|$)/i.exec(target)?.[1];
  if (authority === undefined) throw new WireError("VALIDATION", "the request line is not valid");
  if (names.hosts !== "any" && !names.hosts.has(authority.toLowerCase())) {
    throw new WireError("HOST_NOT_ALLOWED", "this host does not answer to the name in the request line");
  }
}

/** Every JSON request with a body must say that it is JSON: a form or a text post does not. `onWire`: the headers tell whether there is a body. */
export function checkMediaType(request: Request, onWire: boolean): void {
  const length = request.headers.get("content-length");
  const hasBody = onWire
    ? request.headers.has("transfer-encoding") || (length !== null && length !== "0")
    : request.body !== null;
  if (!hasBody) return;
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || /^application\/[\w.+-]+\+json$/.test(type)) return;
  throw new WireError("UNSUPPORTED_MEDIA_TYPE", "send the body as application/json");
}

/** Who calls, or null. A handler that throws counts as null. */
export async function identify(request: Request, host: Host): Promise<Principal | null> {
  const { auth, logger } = host.config;
  if (!auth) return LOCAL;
  const url = new URL(request.url);
  try {
    return await auth.authenticate({
      method: request.method,
      path: url.pathname,
      headers: Object.fromEntries(request.headers),
    });
  } catch (error) {
    logger.error({ err: error }, "the auth handler failed");
    return null;
  }
}

/** The caller, with the scope that a route needs. Throws UNAUTHORIZED or FORBIDDEN. */
export async function requireScope(request: Request, host: Host, scope: Scope): Promise<Principal> {
  const principal = await identify(request, host);
  if (!principal) {
    throw new WireError(
      "UNAUTHORIZED",
      "send the host's token as Authorization: Bearer TOKEN (computeragent token prints it)",
    );
  }
  if (!principal.scopes.includes(scope) && !principal.scopes.includes("admin")) {
    throw new WireError("FORBIDDEN", `this needs the scope ${scope}`);
  }
  return principal;
}
