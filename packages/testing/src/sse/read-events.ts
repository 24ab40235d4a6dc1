import { type SseFrame, SseViolation } from "./frame.ts";
import { createFrameParser, type FrameChecks } from "./frame-parser.ts";

/** How to read a stream. `fetch` may be an app's own `request` function. */
export interface ReadOptions extends FrameChecks {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly fetch?: typeof globalThis.fetch;
}

/** Rejects with what the server said when a response is not an event stream. */
export async function expectEventStream(response: Response): Promise<void> {
  const type = response.headers.get("content-type") ?? "none";
  if (response.status === 200 && type.startsWith("text/event-stream")) return;
  const body = response.status === 204 ? "" : (await response.text()).slice(0, 500);
  throw new SseViolation(`no event stream but ${response.status} ${type}: ${body}`);
}

/** Asks for a stream; `after` goes out as `Last-Event-ID`. */
export async function requestStream(url: string | URL, options: ReadOptions = {}): Promise<Response> {
  const headers = {
    accept: "text/event-stream",
    ...(options.after === undefined ? {} : { "last-event-id": String(options.after) }),
    ...options.headers,
  };
  const init = { headers, ...(options.signal ? { signal: options.signal } : {}) };
  return (options.fetch ?? globalThis.fetch)(url, init);
}

/**
 * The frames of a response or URL, one by one, comments included, checked as `FrameChecks` says.
 * Leaving the loop, or the signal, cancels the response. Throws `SseViolation`.
 */
export async function* readEvents(
  source: Response | string | URL,
  options: ReadOptions = {},
): AsyncGenerator<SseFrame> {
  const response = source instanceof Response ? source : await requestStream(source, options);
  await expectEventStream(response);
  if (!response.body) throw new SseViolation("the stream has no body");
  const parser = createFrameParser(options);
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  options.signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield* parser.feed(value);
    }
    if (!options.signal?.aborted) parser.end();
  } finally {
    options.signal?.removeEventListener("abort", cancel);
    cancel();
  }
}
