import type { Listener } from "../http/listen.ts";
import { within } from "../session/within.ts";
import type { Host } from "./host.ts";
import { purgeSession } from "./purge-session.ts";

/**
 * Ends everything in order: sessions with `shutdown`, then connections, engines and the host's own journal. A part that
 * fails is logged, and the rest is ended all the same. `host.closing` is aborted before.
 */
export async function shutDown(host: Host, listeners: readonly Listener[]): Promise<void> {
  const { config, registry } = host;
  const all = async (what: string, work: readonly (Promise<unknown> | undefined)[]): Promise<void> => {
    for (const done of await Promise.allSettled(work)) {
      if (done.status === "rejected") config.logger.error({ err: done.reason }, `could not ${what}`);
    }
  };
  // Creates see the abort; one whose loader does not listen is not waited for, and fails by itself later.
  await within(Promise.allSettled(host.creating), config.limits.stopGraceMs);
  await all(
    "end a session",
    registry.all().map((session) => session.parts.runner.end("shutdown")),
  );
  await all(
    "close a listener",
    listeners.map((listener) => listener.close()),
  );
  host.heartbeat.stop();
  if (!host.journal.durable) {
    await all(
      "remove a session",
      registry.all().map((session) => purgeSession(host, session)),
    );
  }
  await all(
    "dispose of an engine",
    config.engines.map(async (engine) => engine.dispose?.()),
  );
  if (!config.journal) await all("close the journal", [host.journal.close()]);
}
