import type { IncomingHttpHeaders } from "node:http";

type Headers = Record<string, string | string[]>;

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const NOT_UPSTREAM = new Set([
  "host",
  "content-length",
  "authorization",
  "x-api-key",
  "cookie",
  "accept-encoding",
  "expect",
]);
const NOT_DOWNSTREAM = new Set(["set-cookie", "set-cookie2", "alt-svc"]);

function pass(headers: IncomingHttpHeaders, drop: ReadonlySet<string>): Headers {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const kept: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !drop.has(name) && !named.has(name)) kept[name] = value;
  }
  return kept;
}

/** Headers of an engine's request that may go to the endpoint: nothing of this connection, no credential, no cookie. */
export const upstreamHeaders = (headers: IncomingHttpHeaders): Headers => pass(headers, NOT_UPSTREAM);

/** Headers of an endpoint's answer that may go to the engine. */
export const downstreamHeaders = (headers: IncomingHttpHeaders): Headers => pass(headers, NOT_DOWNSTREAM);

/** Tokens that a request shows, in `x-api-key` or as a bearer. */
export function shownTokens(headers: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const key = headers["x-api-key"];
  return [bearer, typeof key === "string" ? key : ""].filter((token) => token !== "");
}
