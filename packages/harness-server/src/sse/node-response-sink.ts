import type { ServerResponse } from "node:http";
import type { FrameSink } from "@computeragent/protocol";
import { DrainGate } from "./drain-gate.ts";

/** A `FrameSink` that writes to a Node response, each write in one system call, at once. `unsent` counts what the socket has not taken. */
export function createNodeResponseSink(response: ServerResponse, highWaterMark = 1024 * 1024): FrameSink {
  const gate = new DrainGate();
  let closing = false;
  let handed = 0;
  let taken = 0;

  const unsent = (): number => handed - taken;
  const gone = new Promise<void>((resolve) => {
    const done = (): void => {
      closing = true;
      gate.finish();
      resolve();
    };
    if (response.destroyed) done();
    response.once("close", done);
    response.on("error", done);
  });

  // Where there is something to say at once, the headers go with it.
  setImmediate(() => {
    if (handed === 0 && !closing) response.flushHeaders();
  });

  return {
    get unsent() {
      return unsent();
    },
    closed: gone,
    writable: () => !closing && unsent() < highWaterMark,
    write(frames) {
      if (closing) return;
      handed += frames.byteLength;
      // Node would cork until the next tick, and an engine that has just been told to begin would come first.
      response.cork();
      response.write(frames, (error) => {
        if (error) return;
        taken += frames.byteLength;
        gate.progress(unsent() < highWaterMark);
      });
      response.uncork();
    },
    drained: (timeoutMs) => gate.wait(timeoutMs, () => unsent() < highWaterMark),
    close() {
      if (closing) return;
      closing = true;
      response.end();
    },
    destroy() {
      closing = true;
      gate.finish();
      response.destroy();
    },
  };
}
