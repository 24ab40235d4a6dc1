import type { ServerResponse } from "node:http";
import type { FrameSink } from "@computeragent/protocol";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context } from "hono";
import { createNodeResponseSink } from "../sse/node-response-sink.ts";
import { createWebStreamSink } from "../sse/web-stream-sink.ts";

/** Headers of every event stream. */
export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Opens an event stream: straight to the Node response where there is one, else as a web stream. */
export function openEventStream(
  c: Context,
  highWaterBytes: number,
  extra: Readonly<Record<string, string>> = {},
): { readonly sink: FrameSink; readonly response: Response } {
  const headers = { ...EVENT_STREAM_HEADERS, ...extra };
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing;
  if (outgoing) {
    outgoing.writeHead(200, headers);
    outgoing.socket?.setNoDelay(true);
    return { sink: createNodeResponseSink(outgoing, highWaterBytes), response: RESPONSE_ALREADY_SENT };
  }
  const { sink, stream } = createWebStreamSink(highWaterBytes);
  return { sink, response: new Response(stream, { status: 200, headers }) };
}
