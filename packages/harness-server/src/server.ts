import { join } from "node:path";
import { newId, uuidv7 } from "@computeragent/protocol";
import { type HarnessServerConfig, resolveConfig } from "./config.ts";
import { createApp } from "./http/app.ts";
import { type Listener, type ListenOptions, listen } from "./http/listen.ts";
import { createMemoryJournal } from "./journal/memory.ts";
import { OwnedDirs } from "./owned-dirs.ts";
import type { Host } from "./services/host.ts";
import { purgeSession } from "./services/purge-session.ts";
import { startReaper } from "./services/reaper.ts";
import { SessionRegistry } from "./session/registry.ts";
import { Heartbeat } from "./sse/heartbeat.ts";

/** A harness host. */
export interface HarnessServer extends AsyncDisposable {
  readonly hostId: string;
  /** Serves a request in process. On Node, `env` carries the raw response for event streams. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** Listens on a TCP port or a socket path. Rejects with the system's error (EADDRINUSE …). */
  listen(options: ListenOptions): Promise<Listener>;
  /** Ends every session with `shutdown`, then closes. Idempotent. */
  close(): Promise<void>;
}

/** Makes a harness host from what is given: a framework that binds no engine, loader or store of its own. */
export async function createHarnessServer(given: HarnessServerConfig): Promise<HarnessServer> {
  const config = resolveConfig(given);
  const { limits } = config;
  const host: Host = {
    hostId: config.hostId ?? newId("host"),
    config,
    journal:
      config.journal ??
      createMemoryJournal({
        maxEvents: limits.journalMaxEvents,
        maxBytes: limits.journalMaxBytes,
        maxHostBytes: limits.journalMaxHostBytes,
        maxAgeMs: limits.journalMaxAgeMs,
      }),
    registry: new SessionRegistry(),
    dirs: await OwnedDirs.open(config.dataDir),
    tmpDirs: await OwnedDirs.open(config.runtimeDir ?? join(config.dataDir, "tmp")),
    epoch: uuidv7(),
    heartbeat: new Heartbeat(limits.heartbeatMs),
    draining: false,
    readers: 0,
  };
  const listeners: Listener[] = [];
  const app = createApp(host, () => ({
    hosts: config.allowedHosts ?? listeners.flatMap((l) => l.names),
    origins: config.allowedOrigins ?? listeners.flatMap((l) => l.names.map((name) => `http://${name}`)),
  }));
  const reaper = startReaper(host);
  let closing: Promise<void> | undefined;

  const shutDown = async (): Promise<void> => {
    host.draining = true;
    reaper.stop();
    await Promise.all(host.registry.all().map((session) => session.parts.runner.end("shutdown")));
    await Promise.all(listeners.map((listener) => listener.close()));
    host.heartbeat.stop();
    if (!host.journal.durable) await Promise.all(host.registry.all().map((session) => purgeSession(host, session)));
    await Promise.all(config.engines.map((engine) => engine.dispose?.()));
    await host.journal.close();
  };

  const server: HarnessServer = {
    hostId: host.hostId,
    fetch: async (request, env) => app.fetch(request, env),
    async listen(options) {
      const listener = await listen(app.fetch, options);
      listeners.push(listener);
      return listener;
    },
    close: () => {
      closing ??= shutDown();
      return closing;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}
