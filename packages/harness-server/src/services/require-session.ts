import { WireError } from "@computeragent/protocol";
import type { Session } from "../session/session.ts";

/** The session itself; throws SESSION_ENDED if it has ended. */
export function requireSession(session: Session): Session {
  if (session.ended) throw new WireError("SESSION_ENDED", "the session has ended");
  return session;
}
