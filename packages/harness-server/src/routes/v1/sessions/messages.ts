import type { MessageAccepted } from "@computeragent/protocol";
import { json } from "../../../http/answer.ts";
import { route } from "../../../http/route.ts";
import { audit } from "../../../services/host.ts";
import { queueMessages, steerMessage } from "../../../services/submit-message.ts";

/** `POST /v1/sessions/:id/messages`. */
export const sendMessage = route("sendMessage", ({ host, principal, body, session }) => {
  const found = session();
  const { queue } = found.parts.runner;
  const repeated = body.clientMessageId === undefined ? undefined : queue.known(body.clientMessageId);
  if (repeated !== undefined) return json({ ack: true, messageId: repeated } satisfies MessageAccepted, 202);
  const queued = body.delivery === "steer" ? steerMessage(found, body.message) : queueMessages(found, [body.message]);
  const messageId = queued.messageIds[0] ?? "";
  if (body.clientMessageId !== undefined) queue.remember(body.clientMessageId, messageId);
  audit(host, { sessionId: found.id, principal: principal.id, action: "message.send", detail: { messageId } });
  const answer: MessageAccepted = { ack: true, messageId, ...(queued.turn ? { turnId: queued.turn.turnId } : {}) };
  return json(answer, 202);
});
