import { connect, type Socket } from "node:net";
import { within } from "../contract/within.ts";
import { type RawResponse, ResponseReader } from "./chunked.ts";
import type { SseFrame } from "./frame.ts";
import { createFrameParser, type FrameChecks } from "./frame-parser.ts";

const PATIENCE_MS = 20_000;

/** How to open a raw reader. The socket's receive buffer is small, so that a stall is felt early. */
export interface RawReaderOptions extends FrameChecks {
  readonly headers?: Readonly<Record<string, string>>;
  /** Do not read from the start on. */
  readonly stalled?: boolean;
}

/** A reader on a bare socket: it can stop reading, so that the server feels it. */
export interface RawReader {
  readonly socket: Socket;
  /** Resolves with status and headers. */
  readonly response: Promise<RawResponse>;
  readonly frames: readonly SseFrame[];
  /** Bytes of the body that were read. */
  readonly bytes: number;
  stall(): void;
  resume(): void;
  /**
   * Resolves when the connection is gone: `complete` = the body came to its proper end. A stalled reader notices
   * nothing, not even that it was cut, before it resumes.
   */
  readonly closed: Promise<{ readonly complete: boolean }>;
  destroy(): void;
}

/** Opens an event stream on a socket of its own. Rejects when no connection comes about. */
export async function openRawReader(url: string | URL, options: RawReaderOptions = {}): Promise<RawReader> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) });
  if (options.stalled) socket.pause();
  await within(
    PATIENCE_MS,
    `a connection to ${host}`,
    new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject)),
  );
  const headers: Record<string, string> = {
    host,
    accept: "text/event-stream",
    ...(options.after === undefined ? {} : { "last-event-id": String(options.after) }),
    ...options.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return read(socket, options);
}

function read(socket: Socket, options: RawReaderOptions): RawReader {
  const http = new ResponseReader();
  const parser = createFrameParser(options);
  const frames: SseFrame[] = [];
  const head = Promise.withResolvers<RawResponse>();
  const closed = Promise.withResolvers<{ complete: boolean }>();
  head.promise.catch(() => {});
  let bytes = 0;
  socket.on("data", (data) => {
    try {
      const body = http.feed(Buffer.from(data));
      if (http.response) head.resolve(http.response);
      bytes += body.length;
      if (http.response?.status === 200) frames.push(...parser.feed(body));
      if (http.complete) socket.end();
    } catch (error) {
      closed.reject(error);
      socket.destroy();
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    head.reject(new Error("the connection was closed before an answer came"));
    closed.resolve({ complete: http.complete });
  });
  closed.promise.catch(() => {});
  return {
    socket,
    response: head.promise,
    frames,
    get bytes() {
      return bytes;
    },
    stall: () => void socket.pause(),
    resume: () => void socket.resume(),
    closed: closed.promise,
    destroy: () => void socket.destroy(),
  };
}
