import assert from "node:assert/strict";
import type { FrameSink } from "@computeragent/protocol";
import { within } from "../contract/within.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** High-water mark of the sinks under test, in bytes. */
export const HIGH_WATER_MARK = 65_536;
/** How long a case waits for what must come, in ms. */
export const PATIENCE_MS = 10_000;

/** An SSE frame of about `bytes` bytes that tells its number. */
export function frame(n: number, bytes: number): Uint8Array {
  return new TextEncoder().encode(`id: ${n}\ndata: ${"x".repeat(bytes)}\n\n`);
}

/** Awaits a promise that must settle soon. */
export function closed(promise: Promise<unknown>, what: string): Promise<unknown> {
  return within(PATIENCE_MS, what, promise);
}

/** Writes until the sink and all buffers behind it are full; the written bytes. Rejects if that never happens. */
export async function fill(sink: FrameSink): Promise<Buffer> {
  const piece = frame(0, 16_000);
  let count = 0;
  for (let idle = 0; idle < 20; idle++) {
    while (sink.writable()) {
      assert.ok(count * piece.length < MOST_BYTES, "writable never became false");
      sink.write(piece);
      count++;
      idle = 0;
    }
    await tick();
  }
  return Buffer.concat(Array<Uint8Array>(count).fill(piece));
}
