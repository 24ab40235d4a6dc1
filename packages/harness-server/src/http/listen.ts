import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";

/** Where to listen. Port 0 = any free one. */
export type ListenOptions = { readonly host: string; readonly port: number } | { readonly socketPath: string };

/** A listening server. */
export interface Listener {
  /** `http://127.0.0.1:7700`, or `unix:PATH`. */
  readonly url: string;
  readonly port: number | undefined;
  /** Host header values that mean this listener, in lower case. */
  readonly names: readonly string[];
  close(): Promise<void>;
}

/** How long connections may finish what they send after the end. */
const LINGER_MS = 1000;

/** Starts a Node HTTP server for an application. Rejects with the system's error. */
export async function listen(fetch: Hono["fetch"], options: ListenOptions): Promise<Listener> {
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server;
  server.headersTimeout = 15_000;
  server.requestTimeout = 300_000;
  server.keepAliveTimeout = 5000;
  server.maxHeadersCount = 100;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if ("socketPath" in options) server.listen(options.socketPath, resolve);
    else server.listen(options.port, options.host, resolve);
  });
  const port = "socketPath" in options ? undefined : (server.address() as AddressInfo).port;
  return {
    url: "socketPath" in options ? `unix:${options.socketPath}` : `http://${bracketed(options.host)}:${port}`,
    port,
    names: "socketPath" in options ? ["localhost"] : namesOf(options.host, port ?? 0),
    close: () => closeServer(server),
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), LINGER_MS);
  await closed;
  clearTimeout(timer);
}

function namesOf(host: string, port: number): string[] {
  const names = isLoopback(host) ? ["127.0.0.1", "localhost", "[::1]"] : [bracketed(host)];
  const all = names.map((name) => `${name}:${port}`);
  return port === 80 ? [...all, ...names] : all;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** True for addresses and names that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
