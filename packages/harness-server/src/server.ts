import { join } from "node:path";
import { newId, uuidv7 } from "@computeragent/protocol";
import { type HarnessServerConfig, resolveConfig } from "./config.ts";
import { createApp } from "./http/app.ts";
import type { Names } from "./http/guard.ts";
import { type Listener, type ListenOptions, listen } from "./http/listen.ts";
import { isLoopback } from "./http/loopback.ts";
import { createMemoryJournal } from "./journal/memory.ts";
import { OwnedDirs } from "./owned-dirs.ts";
import type { Host } from "./services/host.ts";
import { startReaper } from "./services/reaper.ts";
import { shutDown } from "./services/shut-down.ts";
import { SessionRegistry } from "./session/registry.ts";
import { Heartbeat } from "./sse/heartbeat.ts";
import { Turns } from "./turns.ts";

/** A harness host. */
export interface HarnessServer extends AsyncDisposable {
  readonly hostId: string;
  /** Serves a request in process. On Node, `env` carries the raw response for event streams. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** Listens on a TCP port or a socket path. Rejects with the system's error (EADDRINUSE …), or where nobody would be asked who he is. */
  listen(options: ListenOptions): Promise<Listener>;
  /** Ends every session with `shutdown`, then closes. Idempotent. */
  close(): Promise<void>;
}

/** Makes a harness host from what is given: a framework that binds no engine, loader or store of its own. */
export async function createHarnessServer(given: HarnessServerConfig): Promise<HarnessServer> {
  const config = resolveConfig(given);
  const { limits } = config;
  const closing = new AbortController();
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
        minEvents: limits.journalMinEvents,
      }),
    registry: new SessionRegistry(),
    dirs: await OwnedDirs.open(config.dataDir),
    tmpDirs: await OwnedDirs.open(config.runtimeDir ?? join(config.dataDir, "tmp")),
    epoch: uuidv7(),
    heartbeat: new Heartbeat(limits.heartbeatMs),
    readerTurns: new Turns(),
    closing: closing.signal,
    creating: new Set(),
    readers: 0,
  };
  const listeners: Listener[] = [];
  let names = namesOf(config, listeners);
  const app = createApp(host, () => names);
  const stopReaper = startReaper(host);
  let closed: Promise<void> | undefined;

  const server: HarnessServer = {
    hostId: host.hostId,
    fetch: async (request, env) => app.fetch(request, env),
    async listen(options) {
      if (closing.signal.aborted) throw new Error("the server is closed");
      if (!config.auth && "host" in options && !isLoopback(options.host)) {
        throw new Error(`without authentication a host listens on loopback only, not on ${options.host}`);
      }
      const listener = await listen(app.fetch, { ...options, headersMs: limits.headersMs }, config.logger);
      listeners.push(listener);
      names = namesOf(config, listeners);
      return listener;
    },
    close() {
      closing.abort();
      stopReaper();
      closed ??= shutDown(host, listeners);
      return closed;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}

function namesOf(config: HarnessServerConfig, listeners: readonly Listener[]): Names {
  const { allowedHosts, allowedOrigins } = config;
  const configured = allowedHosts === "any" ? [] : (allowedHosts ?? []).flatMap((h) => [`http://${h}`, `https://${h}`]);
  const origins = allowedOrigins ?? [...configured, ...listeners.flatMap((listener) => listener.origins)];
  const hosts = allowedHosts ?? listeners.flatMap((listener) => listener.hosts);
  return { hosts: hosts === "any" ? "any" : lowerCase(hosts), origins: lowerCase(origins) };
}

function lowerCase(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}
