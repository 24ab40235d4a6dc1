import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { errorAnswer } from "./anthropic/errors.ts";
import { type CallTarget, handle } from "./handle.ts";
import type { Logger } from "./logger.ts";

/** What a listening endpoint needs. */
export interface ServeOptions {
  readonly host: "127.0.0.1";
  /** 0 = any free port. */
  readonly port: number;
  /** Where the calls of a request go; `null` = it shows no valid token. */
  readonly authenticate: (request: IncomingMessage) => CallTarget | null;
  readonly logger: Logger;
}

/** An endpoint that listens. */
export interface Listening extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
}

const KEEP_ALIVE_MS = 10 * 60_000;

function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeAllConnections();
  return promise;
}

/** Listens on a loopback port. Rejects with the system's error when the port is taken. */
export async function serve({ host, port, authenticate, logger }: ServeOptions): Promise<Listening> {
  const hosts = new Set<string | undefined>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const target = hosts.has(request.headers.host) ? authenticate(request) : undefined;
    if (target) {
      handle(request, response, target, logger);
      return;
    }
    const { status, headers, body } =
      target === undefined
        ? errorAnswer(403, "The Host header is not allowed.")
        : errorAnswer(401, "The token is not valid.");
    response.writeHead(status, { ...headers, connection: "close" }).end(body);
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  await promise;
  server.off("error", reject);
  const bound = (server.address() as AddressInfo).port;
  for (const name of [host, "localhost"]) hosts.add(`${name}:${bound}`);
  return { url: `http://${host}:${bound}`, port: bound, [Symbol.asyncDispose]: () => close(server) };
}
