import { json } from "../../../http/answer.ts";
import { route } from "../../../http/route.ts";
import { forkSession } from "../../../services/fork-session.ts";
import { sessionCreated } from "../../../services/session-created.ts";

/** `POST /v1/sessions/:id/fork`: a new session that goes on with a copy of the conversation and of an owned workspace. */
export const fork = route("fork", async ({ c, host, principal, body, session }) => {
  const child = await forkSession(host, session(), body, principal, c.req.raw.signal);
  return json(sessionCreated(child), 201);
});
