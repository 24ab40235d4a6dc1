import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that may wait for their answer. */
const MAX_WAITING = 16;

const waiting = new WeakMap<Socket, number>();

/** Counts a new request; true when its connection has sent more than anybody needs before it took the answers. */
export function isCrowded(socket: Socket, outgoing: ServerResponse): boolean {
  const count = (waiting.get(socket) ?? 0) + 1;
  waiting.set(socket, count);
  outgoing.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return count > MAX_WAITING;
}
