import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { UpstreamAnswer } from "../upstream.ts";

/** Watches an answer on its way. */
export interface Tap {
  /** Sees bytes before they are sent. */
  before(bytes: Uint8Array): void;
  /** Called before the end of the answer is sent. */
  end(): void;
  /** The whole body has to pass `before` and `end` before any of it is sent. */
  readonly whole: boolean;
}

/** Looks at nothing. */
export const UNWATCHED: Tap = { whole: false, before: () => {}, end: () => {} };

/** Sends an answer byte for byte, no faster than the reader takes it. Rejects when the endpoint or the reader goes. */
export async function writeAnswer(
  response: ServerResponse,
  answer: UpstreamAnswer,
  tap: Tap,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(answer.status, { ...answer.headers } as Record<string, string | string[]>);
  if (!tap.whole) response.flushHeaders();
  const held: Uint8Array[] = [];
  for await (const bytes of answer.body) {
    tap.before(bytes);
    if (tap.whole) held.push(bytes);
    else if (!response.write(bytes)) await once(response, "drain", { signal });
    signal.throwIfAborted();
  }
  tap.end();
  response.end(held.length > 0 ? Buffer.concat(held) : undefined);
}
