import { createParser } from "eventsource-parser";

/** One SSE frame. */
export interface Frame {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Splits a byte stream into SSE frames; comments are dropped, an incomplete last frame is not given. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const ready: Frame[] = [];
  const parser = createParser({
    onEvent: (event) => ready.push({ id: event.id, event: event.event ?? "message", data: event.data }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* ready.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
