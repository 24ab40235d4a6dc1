import type { FrameSink } from "@computeragent/protocol";
import { DrainGate } from "./drain-gate.ts";

/** A `FrameSink` behind a pull-based web stream, for hosts without a Node response. */
export function createWebStreamSink(highWaterMark = 1024 * 1024): {
  sink: FrameSink;
  stream: ReadableStream<Uint8Array>;
} {
  const gate = new DrainGate();
  const queue: Uint8Array[] = [];
  let unsent = 0;
  let ending = false;
  let over = false;
  let pulled: (() => void) | undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>();

  const finish = (): void => {
    over = true;
    gate.finish();
    pulled?.();
    markClosed();
  };
  const feed = (): void => {
    const next = queue.shift();
    if (next && controller) {
      unsent -= next.byteLength;
      controller.enqueue(next);
      gate.progress(unsent < highWaterMark);
    }
    if (ending && queue.length === 0 && !over) {
      controller?.close();
      finish();
    }
  };

  const stream = new ReadableStream<Uint8Array>(
    {
      start(c) {
        controller = c;
      },
      async pull() {
        while (queue.length === 0 && !over && !ending) {
          await new Promise<void>((resolve) => {
            pulled = resolve;
          });
        }
        if (!over) feed();
      },
      cancel() {
        if (!over) finish();
      },
    },
    { highWaterMark: 0 },
  );

  const sink: FrameSink = {
    get unsent() {
      return unsent;
    },
    closed,
    writable: () => !over && !ending && unsent < highWaterMark,
    write(frames) {
      if (over || ending) return;
      queue.push(frames);
      unsent += frames.byteLength;
      pulled?.();
    },
    drained: (timeoutMs) => gate.wait(timeoutMs, () => unsent < highWaterMark),
    close() {
      if (over || ending) return;
      ending = true;
      pulled?.();
      if (queue.length === 0) {
        controller?.close();
        finish();
      }
    },
    destroy() {
      if (over) return;
      controller?.error(new Error("the stream was cut"));
      finish();
    },
  };
  return { sink, stream };
}
