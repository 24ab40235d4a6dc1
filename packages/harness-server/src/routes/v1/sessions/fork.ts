import { json, route } from "../../../http/route.ts";
import { forkSession } from "../../../services/fork-session.ts";
import { audit } from "../../../services/host.ts";
import { sessionCreated } from "../../../services/session-created.ts";

/** `POST /v1/sessions/:id/fork`: a new session that goes on with a copy of the conversation and of an owned workspace. */
export const fork = route("fork", async ({ host, principal, body, session }) => {
  const parent = session();
  const child = await forkSession(host, parent, body, principal);
  audit(host, { sessionId: parent.id, principal: principal.id, action: "session.fork", detail: { child: child.id } });
  return json(sessionCreated(child), 201);
});
