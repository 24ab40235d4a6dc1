import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";
import { surplusOf } from "./surplus.ts";

/** Looks after sessions by timer: ends idle ones, forgets ended ones, and says when an engine is silent. Call the result to stop. */
export function startReaper(host: Host): () => void {
  const { limits, logger } = host.config;
  const noticed = new WeakMap<Session, number>();

  const visit = async (session: Session, now: number, isSurplus: boolean): Promise<void> => {
    const { runner } = session.parts;
    const isRead = session.attendance.readers > 0;
    if (session.ended) {
      const isOld = now - session.ended.at >= limits.endedRetentionMs;
      if (!isRead && (isOld || isSurplus)) await purgeSession(host, session);
    } else if (session.status === "idle") {
      if (!isRead && now - session.lastActivityAt >= limits.idleTtlMs) await runner.end("expired");
    } else if (session.status === "running") {
      if (now - runner.lastEventAt >= limits.silenceNoticeMs) notice(session, now);
    }
  };

  const notice = (session: Session, now: number): void => {
    const since = session.parts.runner.lastEventAt;
    if (noticed.get(session) === since) return;
    noticed.set(session, since);
    const message = `the engine has sent nothing for ${Math.round((now - since) / 1000)} seconds`;
    session.parts.log.emit("ca_notice", { level: "warning", code: "engine.silent", message });
  };

  const timer = setInterval(() => {
    const now = Date.now();
    const surplus = surplusOf(host);
    for (const session of host.registry.all()) {
      visit(session, now, surplus.has(session)).catch((error: unknown) => {
        logger.error({ err: error, sessionId: session.id }, "a session could not be cleaned up");
      });
    }
  }, limits.reaperIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
