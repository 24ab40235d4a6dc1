import type { FrameSink } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import { controlFrame } from "./encode.ts";

/** How one reader follows a log. */
export interface ReaderOptions {
  readonly log: EventLog;
  readonly sink: FrameSink;
  /** Last id the reader has; -1 = none. */
  readonly cursor: number;
  /** Last id to send; the reader ends after it. Absent = the end of the log. */
  readonly until?: () => number | undefined;
  /** Frames to send before anything else (a gap, open permission requests). */
  readonly preamble?: readonly Uint8Array[];
  readonly stallMs: number;
}

/** How a reader came to its end. */
export type ReaderEnd = "complete" | "gone" | "stalled";

/** Says that the events between a cursor and `oldestId` are no longer kept. */
export function gapFrame(requestedId: number | null, oldestId: number | null, headId: number | null): Uint8Array {
  return controlFrame("ca_replay_gap", { requestedId, oldestId, headId });
}

/**
 * Moves frames from the log into a sink, from a cursor on. A reader is only a cursor: it pauses while the sink is
 * full and goes on from the log, so a slow client costs no memory.
 */
export async function pumpReader(options: ReaderOptions): Promise<ReaderEnd> {
  const { log, sink, stallMs } = options;
  let cursor = options.cursor;
  let gone = false;
  let wake: (() => void) | undefined;
  const stir = (): void => wake?.();
  void sink.closed.then(() => {
    gone = true;
    stir();
  });
  for (const frame of options.preamble ?? []) sink.write(frame);

  let position = cursor >= log.tail.head ? log.tail.totalBytes : 0;
  const probe = { position: () => position - sink.unsent };
  const release = log.tail.follow(stir);
  try {
    for (;;) {
      if (gone) return "gone";
      if (!sink.writable() && !(await sink.drained(stallMs))) {
        if (gone) return "gone";
        sink.write(controlFrame("ca_resync", { reason: "reader_too_slow" }));
        sink.destroy();
        return "stalled";
      }
      const last = options.until?.();
      if (last !== undefined && cursor >= last) return "complete";
      const next = log.tail.next(cursor, last);
      const batch = next instanceof Promise ? await next : next;
      if (batch) {
        if (batch.firstSeq > cursor + 1) sink.write(gapFrame(cursor, batch.firstSeq, log.tail.head));
        sink.write(batch.bytes);
        cursor = batch.lastSeq;
        position = batch.position ?? position + batch.bytes.byteLength;
        continue;
      }
      if (cursor < log.tail.shown) return "gone";
      if (log.tail.ended && cursor >= log.tail.head) return "complete";
      position = log.tail.totalBytes;
      log.lags.add(probe);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (gone || log.tail.shown > cursor || log.tail.ended) resolve();
      });
      wake = undefined;
    }
  } finally {
    release();
    log.lags.remove(probe);
  }
}
