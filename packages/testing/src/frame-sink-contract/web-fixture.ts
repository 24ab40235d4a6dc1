import type { FrameSink } from "@computeragent/protocol";
import type { FrameSinkFixture } from "./fixture.ts";

/** A fixture for sinks that feed a web stream. */
export function webSinkFixture(made: {
  readonly sink: FrameSink;
  readonly body: ReadableStream<Uint8Array>;
}): FrameSinkFixture {
  const reader = made.body.getReader();
  const parts: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  reader.closed.then(ended.resolve, () => ended.resolve());
  let reading = false;
  const read = async (): Promise<void> => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parts.push(Buffer.from(value));
    }
  };
  return {
    sink: made.sink,
    client: {
      resume: () => {
        if (reading) return;
        reading = true;
        read().catch(() => {});
      },
      received: () => Buffer.concat(parts),
      ended: ended.promise,
      leave: () => void reader.cancel().catch(() => {}),
    },
    dispose: () => void reader.cancel().catch(() => {}),
  };
}
