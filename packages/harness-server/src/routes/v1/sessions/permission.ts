import type { PermissionList } from "@computeragent/protocol";
import { json } from "../../../http/answer.ts";
import { route } from "../../../http/route.ts";
import { audit } from "../../../services/host.ts";

/** `POST /v1/sessions/:id/permission/:callId`. */
export const answerPermission = route("answerPermission", async ({ host, principal, body, session, param }) => {
  const found = session();
  const callId = param("callId");
  await found.parts.permissions.answer(callId, body, principal.id);
  const detail = { callId, decision: body.decision, scope: body.scope ?? "once" };
  audit(host, { sessionId: found.id, principal: principal.id, action: "permission.answer", detail });
  return json({ ack: true });
});

/** `GET /v1/sessions/:id/permissions`: what is open, oldest first. */
export const listPermissions = route("listPermissions", ({ session }) => {
  const permissions = session()
    .parts.permissions.pending()
    .flatMap(({ request, seq }) => (seq === undefined ? [] : [{ ...request, seq }]));
  return json({ permissions } satisfies PermissionList);
});
