import type { Session } from "../session/session.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";

/** Looks after sessions by timer: ends idle ones, forgets ended ones, and says when an engine is silent. */
export function startReaper(host: Host): { stop(): void; tick(now?: number): Promise<void> } {
  const noticed = new WeakMap<Session, number>();
  const { limits, logger } = host.config;

  const tick = async (now = Date.now()): Promise<void> => {
    for (const session of host.registry.all()) {
      if (session.ended) {
        const over = now - session.ended.at >= limits.endedRetentionMs && session.readers === 0;
        if (over) await purgeSession(host, session);
      } else if (session.status === "idle" && session.readers === 0) {
        if (now - session.lastActivityAt >= limits.idleTtlMs) await session.parts.runner.end("expired");
      } else if (session.status === "running") notice(session, now);
    }
  };

  const notice = (session: Session, now: number): void => {
    const { runner, log } = session.parts;
    const since = runner.lastEventAt;
    if (now - since < limits.silenceNoticeMs || noticed.get(session) === since) return;
    noticed.set(session, since);
    const minutes = Math.round((now - since) / 60_000);
    const message = `the engine has sent nothing for ${minutes} minutes`;
    log.emit("ca_notice", { level: "warning", code: "engine.silent", message });
  };

  const timer = setInterval(() => {
    tick().catch((error: unknown) => logger.error({ err: error }, "the reaper failed"));
  }, limits.reaperIntervalMs);
  timer.unref();
  return { stop: () => clearInterval(timer), tick };
}
