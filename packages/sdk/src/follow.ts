import type { ControlFrame, HarnessEvent } from "@computeragent/protocol";
import type { HarnessClient } from "./client.ts";
import { HarnessClientError } from "./errors.ts";
import { readFrames } from "./frames.ts";

/** What a stream gives: numbered events, and control frames without an id. */
export type StreamItem = HarnessEvent | (ControlFrame & { readonly id?: undefined });

/** How to follow a session. */
export interface FollowOptions {
  /** Last id that is known already; absent = from the beginning. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Attempts in a row before a lost connection is an error. Default 8. */
  readonly maxRetries?: number;
}

/**
 * Follows a session to its end, over lost connections: each event once, in order. Ends after `ca_session_ended`.
 * Throws `HarnessClientError` when the host cannot be reached any more or refuses.
 */
export async function* followSession(
  client: HarnessClient,
  sessionId: string,
  options: FollowOptions = {},
): AsyncGenerator<StreamItem> {
  let cursor = options.after ?? -1;
  let failures = 0;
  for (;;) {
    try {
      const headers = cursor >= 0 ? { "last-event-id": String(cursor) } : {};
      const signal = options.signal ? { signal: options.signal } : {};
      const response = await client.call("events", { sessionId, headers, ...signal });
      if (response.status === 204 || !response.body) return;
      for await (const item of readStream(response.body)) {
        failures = 0;
        if (item.id !== undefined) {
          if (item.id <= cursor) continue;
          cursor = item.id;
        } else if (item.type === "ca_replay_gap") cursor = (item.data.oldestId ?? 0) - 1;
        yield item;
        if (item.type === "ca_session_ended") return;
      }
    } catch (error) {
      if (options.signal?.aborted) throw error;
      if (HarnessClientError.isInstance(error) && !error.isRetryable) throw error;
      if (++failures > (options.maxRetries ?? 8)) throw error;
    }
    await pause(failures, options.signal);
  }
}

/** Parses an event stream of the protocol; frames that are not JSON, or whose id is no number, are a `HarnessClientError`. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamItem> {
  for await (const frame of readFrames(body)) {
    let data: unknown;
    try {
      data = JSON.parse(frame.data);
    } catch (cause) {
      throw new HarnessClientError("BAD_ANSWER", "an event of the stream is not JSON", { cause });
    }
    if (frame.id !== undefined && !/^\d{1,15}$/.test(frame.id)) {
      throw new HarnessClientError("BAD_ANSWER", "an event of the stream has an id that is no number");
    }
    yield (
      frame.id === undefined ? { type: frame.event, data } : { id: Number(frame.id), type: frame.event, data }
    ) as StreamItem;
  }
}

/** Waits longer with each failure, with jitter: 0, then about 100 ms doubling up to 5 s. */
function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
  const ms = failures === 0 ? 20 : Math.min(5000, 100 * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener("abort", abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}
