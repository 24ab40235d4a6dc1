import { json } from "../../../http/answer.ts";
import { route } from "../../../http/route.ts";
import { audit } from "../../../services/host.ts";
import { requireLive } from "../../../services/submit-message.ts";

/** `POST /v1/sessions/:id/interrupt`: ends the running turn; without one it changes nothing. */
export const interrupt = route("interrupt", async ({ host, principal, session }) => {
  const found = requireLive(session());
  await found.parts.runner.interrupt("the turn was interrupted");
  audit(host, { sessionId: found.id, principal: principal.id, action: "turn.interrupt" });
  return json({ ok: true });
});

/** `POST /v1/sessions/:id/cancel`: ends the session; a second time is as good. */
export const cancel = route("cancel", async ({ host, principal, session }) => {
  const found = session();
  await found.parts.runner.end("cancelled");
  audit(host, { sessionId: found.id, principal: principal.id, action: "session.cancel" });
  return json({ ok: true });
});

/** `POST /v1/sessions/:id/end-input`: no more messages; the session is complete once its turns are done. */
export const endInput = route("endInput", ({ session }) => {
  const { runner } = session().parts;
  runner.inputEnded = true;
  runner.dispatch();
  return json({ ok: true });
});
