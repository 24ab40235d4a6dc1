import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { HostProcess } from "./host.ts";

/** A plain connection to the host; errors on it are no errors of the test. */
export async function open(host: HostProcess): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: host.port });
  socket.on("error", () => {});
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

/** Everything that the host sends until it closes, or until `ms` have passed. */
export async function readAll(socket: Socket, ms = 15_000): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  const timer = setTimeout(() => socket.destroy(), ms);
  if (!socket.closed) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
  clearTimeout(timer);
  return Buffer.concat(pieces).toString("latin1");
}

/** Sends bytes and gives the status of each answer that came, and all of the text. */
export async function send(
  host: HostProcess,
  bytes: string | Uint8Array,
): Promise<{ statuses: number[]; text: string }> {
  const socket = await open(host);
  const answer = readAll(socket);
  socket.write(bytes);
  const text = await answer;
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((found) => Number(found[1])), text };
}

/** What a raw request has beside its line. */
export interface Head {
  readonly host?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly auth?: boolean;
}

/** A request as text, with the host's token and `connection: close`. */
export function request(host: HostProcess, line: string, head: Head = {}): string {
  const { body, auth = true } = head;
  return [
    `${line} HTTP/1.1`,
    `Host: ${head.host ?? `127.0.0.1:${host.port}`}`,
    ...(auth ? [`Authorization: Bearer ${host.token}`] : []),
    "Connection: close",
    ...(head.headers ?? []),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "",
    body ?? "",
  ].join("\r\n");
}

/** A proper JSON call with the token. */
export async function call(
  host: HostProcess,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: { readonly [key: string]: unknown } }> {
  const answer = await fetch(`${host.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${host.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith("{") ? JSON.parse(text) : {} };
}
