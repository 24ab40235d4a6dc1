import { WireError } from "@computeragent/protocol";
import { route } from "../../http/route.ts";
import { openEventStream } from "../../http/sse-response.ts";
import { chatSession } from "../../services/chat-session.ts";
import { followSession, requireReaderSlot } from "../../services/follow-session.ts";

/** `POST /v1/chat`: one turn, its events in the response. */
export const chat = route("chat", async ({ c, host, principal, body }) => {
  const messages = body.messages ?? [];
  if (messages.length === 0) {
    throw new WireError("VALIDATION", "a chat needs at least one message", {
      errors: [{ pointer: "/messages", message: "must not be empty" }],
    });
  }
  requireReaderSlot(host);
  const { session, start, reach, done } = await chatSession(host, body, messages, principal, c.req.raw.signal);
  const { sink, response } = openEventStream(c, host.config.limits.readerHighWaterBytes, {
    "x-session-id": session.id,
  });
  followSession(host, session, sink, start, reach)
    .then(done)
    .catch((error: unknown) => {
      host.config.logger.error({ err: error, sessionId: session.id }, "a chat did not end cleanly");
    });
  return response;
});
