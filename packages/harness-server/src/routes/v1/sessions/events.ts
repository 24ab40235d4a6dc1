import { route } from "../../../http/route.ts";
import { openEventStream } from "../../../http/sse-response.ts";
import { followSession, requestedCursor, requireReaderSlot, startOf } from "../../../services/follow-session.ts";

/** `GET /v1/sessions/:id/events`. */
export const events = route("events", async ({ c, host, query, session }) => {
  const found = session();
  const start = await startOf(host, found, requestedCursor(c.req.header("last-event-id"), query.after));
  if (start.nothingLeft) return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
  requireReaderSlot(host);
  const { sink, response } = openEventStream(c, host.config.limits.readerHighWaterBytes);
  void followSession(host, found, sink, start);
  return response;
});
