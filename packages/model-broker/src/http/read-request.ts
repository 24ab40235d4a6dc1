import type { IncomingMessage } from "node:http";
import { readBody } from "./read-body.ts";

/** A request to the API. */
export interface ApiRequest {
  readonly method: string;
  /** Path with query. */
  readonly target: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A request that is refused before anybody looks into it. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

const MAX_BODY = 64 * 1024 * 1024;

/** The path without tricks (`..`, a second host), or `null` when it is not one of the API's. */
function targetOf(url: string): { target: string; path: string } | null {
  if (!url.startsWith("/") || !URL.canParse(`http://broker${url}`)) return null;
  const { pathname, search } = new URL(`http://broker${url}`);
  return pathname.startsWith("/v1/") ? { target: pathname + search, path: pathname } : null;
}

/** Reads a whole request. Rejects when the sender goes. */
export async function readRequest(incoming: IncomingMessage): Promise<ApiRequest | Refusal> {
  const { method = "GET", url = "/", headers } = incoming;
  const target = targetOf(url);
  if (!target) return { status: 404, message: "There is nothing here. The API begins at /v1/." };
  const body = await readBody(incoming, MAX_BODY);
  if (!body) return { status: 413, message: "The body is longer than 64 MiB." };
  return { method, ...target, headers, body };
}
