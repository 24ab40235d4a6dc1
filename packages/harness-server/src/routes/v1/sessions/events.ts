import { route } from "../../../http/route.ts";
import { EVENT_STREAM_HEADERS, openEventStream } from "../../../http/sse-response.ts";
import { followSession, requestedCursor, requireReaderSlot, startOf } from "../../../services/follow-session.ts";

/** `GET /v1/sessions/:id/events`. */
export const events = route("events", async ({ c, host, session }) => {
  const found = session();
  const requested = requestedCursor(c.req.header("last-event-id"), c.req.query("after"));
  const start = await startOf(host, found, requested);
  if (start.nothingLeft) return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  if (c.req.raw.method === "HEAD") return new Response(null, { headers: EVENT_STREAM_HEADERS });
  requireReaderSlot(host);
  const { sink, response } = openEventStream(c, host.config.limits.readerHighWaterBytes);
  void followSession(host, found, sink, start);
  return response;
});
