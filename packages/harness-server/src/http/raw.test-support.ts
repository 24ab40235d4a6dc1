import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes to a host and reads until it closes the connection: for requests that no proper client would send. */
export async function sendRaw(url: string, request: string | readonly string[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) });
  const answer = text(socket);
  socket.on("error", () => {});
  for (const part of [request].flat()) socket.write(part);
  const whole = await answer;
  const end = whole.indexOf("\r\n\r\n");
  const head = whole.slice(0, end);
  return { status: Number(head.split(" ")[1]), head, body: whole.slice(end + 4) };
}
