import type { SessionPage } from "@computeragent/protocol";
import { WireError } from "@computeragent/protocol";
import { json } from "../../http/answer.ts";
import { route } from "../../http/route.ts";
import { createSession } from "../../services/create-session.ts";
import { audit } from "../../services/host.ts";
import { sessionCreated } from "../../services/session-created.ts";
import { queueMessages } from "../../services/submit-message.ts";
import { mayUse } from "../../session/registry.ts";

/** `POST /v1/sessions`. */
export const createSessionRoute = route("createSession", async ({ c, host, principal, body }) => {
  const session = await createSession(host, body, principal, c.req.raw.signal);
  if (body.messages && body.messages.length > 0) queueMessages(session, body.messages);
  return json(sessionCreated(session), 201);
});

/** `GET /v1/sessions`: the caller's own, newest first; the cursor is the id of the last one seen. */
export const listSessions = route("listSessions", ({ host, principal, query }) => {
  const limit = query.limit ?? 50;
  const own = host.registry
    .all()
    .filter((s) => mayUse(s, principal) && (query.status === undefined || s.status === query.status))
    .sort((a, b) => b.parts.spec.stream - a.parts.spec.stream);
  const before = query.cursor === undefined ? Number.POSITIVE_INFINITY : streamOf(query.cursor);
  const rest = own.filter((s) => s.parts.spec.stream < before);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const answer: SessionPage = {
    sessions: page.map((s) => s.info()),
    nextCursor: rest.length > page.length && last ? `s${last.parts.spec.stream}` : null,
  };
  return json(answer);
});

/** `GET /v1/sessions/:id`. */
export const getSession = route("getSession", ({ session }) => json(session().info()));

/** `DELETE /v1/sessions/:id`: ends the session; a second time is as good. */
export const deleteSession = route("deleteSession", async ({ host, principal, session }) => {
  const found = session();
  await found.parts.runner.end("deleted");
  audit(host, { sessionId: found.id, principal: principal.id, action: "session.delete" });
  return json({ ok: true });
});

function streamOf(cursor: string): number {
  const match = /^s(\d{1,15})$/.exec(cursor);
  if (!match) throw new WireError("VALIDATION", "the cursor is not one that this host gave");
  return Number(match[1]);
}
