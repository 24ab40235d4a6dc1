import type { SessionCreated } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";

/** The answer to a create or a fork. */
export function sessionCreated(session: Session): SessionCreated {
  const { spec } = session.parts;
  return {
    sessionId: spec.id,
    engine: spec.engine.name,
    identity: spec.identity,
    gap: spec.identity,
    capabilities: [...spec.engine.capabilities],
    eventsUrl: `/v1/sessions/${spec.id}/events`,
  };
}
