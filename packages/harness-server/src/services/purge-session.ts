import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";
import { removeDirs } from "./session-dirs.ts";

/** Forgets an ended session: its log, its folders, its id. A folder that the host did not make stays. */
export async function purgeSession(host: Host, session: Session): Promise<void> {
  host.registry.remove(session);
  await host.journal.drop(session.parts.spec.stream);
  await removeDirs(host, session.parts.spec.dirs.owned);
}
