import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";

/** Headers of every JSON answer. */
const HEADERS = {
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
} as const;

/** A JSON answer that is still to be sent, as often as it is asked for. */
export class JsonAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(value: unknown, status: number, headers: Readonly<Record<string, string>>) {
    this.status = status;
    this.text = JSON.stringify(value);
    this.headers = { ...HEADERS, ...headers };
  }

  /** Straight to the connection where there is one: to make a `Response` and take it apart again costs more than all the rest of a small request. */
  send(c: Context): Response {
    const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing;
    if (!outgoing) return new Response(this.text, { status: this.status, headers: this.headers });
    if (!outgoing.destroyed) {
      outgoing.writeHead(this.status, { ...this.headers, "content-length": Buffer.byteLength(this.text) });
      outgoing.end(this.text);
    }
    return RESPONSE_ALREADY_SENT;
  }
}

/** A JSON answer with the headers that every answer has, and `more`. */
export function json(value: unknown, status = 200, more: Readonly<Record<string, string>> = {}): JsonAnswer {
  return new JsonAnswer(value, status, more);
}
