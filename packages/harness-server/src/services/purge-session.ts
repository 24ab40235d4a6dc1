import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";
import { removeDirs } from "./remove-dirs.ts";

/** Forgets an ended session: its id, its log, its folders. A folder that the host did not make stays. */
export async function purgeSession(host: Host, session: Session): Promise<void> {
  host.registry.remove(session);
  try {
    await host.journal.drop(session.parts.spec.stream);
  } finally {
    await removeDirs(host, session.parts.spec.dirs.owned);
  }
}
