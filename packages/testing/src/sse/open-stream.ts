import { within } from "../contract/within.ts";
import { outline } from "./collect.ts";
import type { SseFrame } from "./frame.ts";
import { expectEventStream, type ReadOptions, readEvents, requestStream } from "./read-events.ts";

const PATIENCE_MS = 20_000;

/** A stream that is read in the background; everything that came stays in `frames`. */
export interface OpenStream {
  readonly response: Response;
  readonly frames: readonly SseFrame[];
  /** The numbered events among `frames`. */
  events(): SseFrame[];
  /** The first frame, past or future, from index `from` on that `wanted` accepts (a function or an event name). */
  waitFor(wanted: string | ((frame: SseFrame) => boolean), from?: number, timeoutMs?: number): Promise<SseFrame>;
  /** Settles when the server ended the stream; rejects with a `SseViolation`. */
  readonly ended: Promise<void>;
  /** Cuts the connection. `ended` resolves. */
  close(): void;
}

/** Opens a stream and reads it until it ends or is closed. Rejects if the answer is not an event stream. */
export async function openStream(url: string | URL, options: ReadOptions = {}): Promise<OpenStream> {
  const own = withAbort(options);
  const response = await requestStream(url, own);
  await expectEventStream(response);
  return follow(response, own);
}

/** Reads an event stream that is already open, for example the answer to a chat. */
export function followResponse(response: Response, options: ReadOptions = {}): OpenStream {
  return follow(response, withAbort(options));
}

type Abortable = ReadOptions & { readonly signal: AbortSignal; readonly abort: () => void };

function withAbort(options: ReadOptions): Abortable {
  const own = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal;
  return { ...options, signal, abort: () => own.abort() };
}

function follow(response: Response, options: Abortable): OpenStream {
  const frames: SseFrame[] = [];
  let over = false;
  let wake = Promise.withResolvers<void>();
  const ring = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  const read = async (): Promise<void> => {
    try {
      for await (const frame of readEvents(response, options)) {
        frames.push(frame);
        ring();
      }
    } catch (error) {
      if (!options.signal.aborted) throw error;
    } finally {
      over = true;
      ring();
    }
  };
  const ended = read();
  ended.catch(() => {});

  const search = async (accepts: (frame: SseFrame) => boolean, from: number): Promise<SseFrame> => {
    for (let at = from; ; at++) {
      while (at >= frames.length) {
        if (over) {
          await ended;
          throw new Error("the stream ended");
        }
        await wake.promise;
      }
      const frame = frames[at];
      if (frame && accepts(frame)) return frame;
    }
  };

  return {
    response,
    frames,
    events: () => frames.filter((frame) => frame.id !== null),
    waitFor: async (wanted, from = 0, timeoutMs = PATIENCE_MS) => {
      const name = typeof wanted === "string" ? wanted : "a certain frame";
      const accepts = typeof wanted === "string" ? (frame: SseFrame) => frame.event === wanted : wanted;
      try {
        return await within(timeoutMs, name, search(accepts, from));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${name} did not come (${reason}); came: ${outline(frames)}`, { cause: error });
      }
    },
    ended,
    close: options.abort,
  };
}
