import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ROUTES, WireError } from "@computeragent/protocol";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Logger } from "../logger.ts";
import { Turns } from "../turns.ts";
import { isLoopback } from "./loopback.ts";
import { maxConnections } from "./max-connections.ts";
import { isCrowded } from "./pipelining.ts";
import { problemResponse } from "./problem.ts";

/** Where to listen. Port 0 = any free one. */
export type ListenOptions = { readonly host: string; readonly port: number } | { readonly socketPath: string };

/** A listening server. */
export interface Listener {
  /** `http://127.0.0.1:7700`, or `unix:PATH`. */
  readonly url: string;
  readonly port: number | undefined;
  /** Host header values that mean this listener, with the port and without it. */
  readonly hosts: readonly string[];
  /** Origins of pages that this listener itself could have served. */
  readonly origins: readonly string[];
  close(): Promise<void>;
}

/** How long connections may finish what they send after the end. */
const LINGER_MS = 1000;

/** Milliseconds. Slow and idle connections are looked for often enough that the bounds hold within seconds. */
const SETTINGS = {
  requestTimeout: 300_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 2000,
} as const;

/** Connections that may wait to be taken: beyond it the system drops them, and a client tries again a second later. */
const BACKLOG = 4096;

const NO_PROXY = "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/** Stands in for a Host header that is missing; no request can carry it. */
const NO_HOST = "host.invalid";

/** Starts a Node HTTP server for an application. Rejects with the system's error. */
export async function listen(
  fetch: Hono["fetch"],
  options: ListenOptions & { readonly headersMs: number },
  logger: Logger,
): Promise<Listener> {
  const listener = getRequestListener(fetch, {
    hostname: NO_HOST,
    overrideGlobalObjects: false,
    // Reached only for what is no proper request; everything else is answered by the application.
    errorHandler: (error) => problemResponse(isRequestError(error) ? BAD_REQUEST : error, logger),
  });
  const turns = new Turns();
  const server = createServer({ ...SETTINGS, headersTimeout: options.headersMs }, async (incoming, outgoing) => {
    if (isCrowded(incoming.socket, outgoing)) return void incoming.socket.destroy();
    const turn = asksForHealth(incoming) ? undefined : turns.take();
    if (turn) await turn;
    if (!incoming.socket.destroyed) await listener(incoming, outgoing);
  });
  // Connections are taken one in a tick: while they come, ticks must be short.
  server.on("connection", () => turns.stepBack());
  server.maxHeadersCount = 100;
  server.maxConnections = maxConnections();
  server.on("connect", (_request, socket) => socket.end(NO_PROXY));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if ("socketPath" in options) server.listen(options.socketPath, resolve);
    else server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, resolve);
  });
  server.on("error", (error) => logger.error({ err: error }, "a listener failed"));
  if ("socketPath" in options) {
    const url = `unix:${options.socketPath}`;
    return { url, port: undefined, hosts: ["localhost"], origins: [], close: () => closeServer(server) };
  }
  const { port } = server.address() as AddressInfo;
  const names = namesOf(options.host);
  const withPort = names.map((name) => `${name}:${port}`);
  return {
    url: `http://${bracketed(options.host)}:${port}`,
    port,
    hosts: [...withPort, ...names],
    origins: (port === 80 ? names : withPort).map((name) => `http://${name}`),
    close: () => closeServer(server),
  };
}

/** Nobody who watches a host waits behind those who keep it busy. */
function asksForHealth({ url }: IncomingMessage): boolean {
  return url === ROUTES.health.path;
}

const BAD_REQUEST = new WireError("VALIDATION", "the request line or the Host header is not valid");

function isRequestError(error: unknown): boolean {
  return error instanceof Error && error.name === "RequestError";
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const linger = setTimeout(() => server.closeAllConnections(), LINGER_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(linger);
}

/** What a listener is called: an address for all interfaces is reached by the loopback names too. */
function namesOf(host: string): string[] {
  const everywhere = host === "0.0.0.0" || host === "::";
  const loopback = isLoopback(host) || everywhere ? ["127.0.0.1", "localhost", "[::1]"] : [];
  return [...new Set([bracketed(host).toLowerCase(), ...loopback])];
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
