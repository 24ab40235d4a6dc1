import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";

/**
 * The ended sessions that a host cannot keep until their time is over: more than `maxEndedSessions`, or, where the journal
 * lives in memory, more events than all sessions together may have. The last to end are kept.
 */
export function surplusOf(host: Host): ReadonlySet<Session> {
  const { maxEndedSessions, journalMaxBytes, journalMaxHostBytes } = host.config.limits;
  const ended = host.registry.all().flatMap((session) => (session.ended ? [{ session, at: session.ended.at }] : []));
  ended.sort((a, b) => b.at - a.at);
  let bytes = 0;
  const surplus = ended.filter(({ session }, index) => {
    bytes += Math.min(session.parts.log.tail.totalBytes, journalMaxBytes);
    return index >= maxEndedSessions || (!host.journal.durable && index > 0 && bytes > journalMaxHostBytes);
  });
  return new Set(surplus.map(({ session }) => session));
}
