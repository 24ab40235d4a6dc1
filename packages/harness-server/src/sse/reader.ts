import type { FrameSink } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import type { FrameBatch } from "../log/live-tail.ts";
import type { Turns } from "../turns.ts";
import { controlFrame } from "./encode.ts";

/** Which part of a log a reader gets: ids that may not be known yet. `from` undefined = nothing so far, `to` undefined = no end. */
export interface Reach {
  from(): number | undefined;
  to(): number | undefined;
}

/** How one reader follows a log. */
export interface ReaderOptions {
  readonly log: EventLog;
  readonly sink: FrameSink;
  /** Last id the reader has; -1 = none. */
  readonly cursor: number;
  /** Goes out before anything else. */
  readonly gap: Uint8Array | undefined;
  readonly reach: Reach;
  readonly stallMs: number;
  /** Shared by all readers of a host: a write can take long. */
  readonly turns: Turns;
  /** Control frames for what the reader does not get as an event: ids after the first and up to the second. */
  passedOver(after: number, upTo: number): readonly Uint8Array[];
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
  const { log, sink, reach, stallMs, turns } = options;
  const { tail, lags } = log;
  let { cursor } = options;
  let position = 0;
  let gone = false;
  let wake: (() => void) | undefined;
  // A reader that waits gets a commit within it, before the engine or anybody else goes on.
  const stir = (): void => {
    if (wake && !giveNewest()) wake();
  };
  void sink.closed.then(() => {
    gone = true;
    stir();
  });
  if (options.gap) sink.write(options.gap);
  for (const frame of options.passedOver(-1, cursor)) sink.write(frame);

  const give = (batch: FrameBatch): void => {
    if (batch.firstSeq > cursor + 1) {
      sink.write(gapFrame(cursor < 0 ? null : cursor, batch.firstSeq, tail.head));
      for (const frame of options.passedOver(cursor, batch.firstSeq - 1)) sink.write(frame);
    }
    sink.write(batch.bytes);
    cursor = batch.lastSeq;
    position += batch.weight;
  };
  const giveNewest = (): boolean => {
    const isPlain = !gone && !tail.ended && reach.to() === undefined && (reach.from() ?? tail.head + 1) <= cursor + 1;
    const batch = isPlain && sink.writable() && turns.isFree() ? tail.newest(cursor) : undefined;
    if (!batch) return false;
    give(batch);
    position = tail.totalBytes;
    return true;
  };
  const probe = { position: () => position - sink.unsent };
  const release = tail.follow(stir);
  try {
    for (;;) {
      if (gone) return "gone";
      if (!sink.writable() && !(await sink.drained(stallMs))) {
        if (gone) return "gone";
        sink.write(controlFrame("ca_resync", { reason: "reader_too_slow" }));
        sink.destroy();
        return "stalled";
      }
      const turn = turns.take();
      if (turn) {
        await turn;
        if (gone) return "gone";
      }
      const from = reach.from();
      // What is not wanted is skipped, but for the newest: it may turn out to be the end of the session.
      const skipping = from === undefined;
      if (skipping) cursor = Math.max(cursor, tail.head - 1);
      else if (from - 1 > cursor) cursor = from - 1;
      const last = reach.to();
      if (last !== undefined && cursor >= last) return "complete";
      const next = skipping && !tail.ended ? null : tail.next(cursor, last);
      const batch = next instanceof Promise ? await next : next;
      if (batch) {
        give(batch);
        continue;
      }
      if (!skipping && cursor < tail.head) return "gone";
      if (tail.ended && cursor >= tail.head) return "complete";
      position = tail.totalBytes;
      lags.add(probe);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (gone || tail.ended || (!skipping && tail.head > cursor)) resolve();
      });
      wake = undefined;
    }
  } finally {
    release();
    lags.remove(probe);
  }
}
