import { createParser } from "eventsource-parser";
import { type SseFrame, SseViolation } from "./frame.ts";

/** What the parser checks besides the syntax. */
export interface FrameChecks {
  /** Ids go up by one; only a `ca_replay_gap` frame may start anew. Default true. */
  readonly contiguous?: boolean;
  /** Cursor the stream was opened with: the first id must follow it. */
  readonly after?: number;
}

/** A decoder from bytes to checked frames. */
export interface FrameParser {
  feed(bytes: Uint8Array): SseFrame[];
  /** Throws if the stream ended in the middle of a frame. */
  end(): void;
}

function readId(text: string): number {
  if (!/^(0|[1-9]\d{0,15})$/.test(text)) throw new SseViolation(`not an event id: ${JSON.stringify(text)}`);
  return Number(text);
}

/** Makes a parser that refuses what the protocol does not allow: foreign ids, gaps, data that is not JSON, cut frames. */
export function createFrameParser(checks: FrameChecks = {}): FrameParser {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let out: SseFrame[] = [];
  let expected: number | null = checks.after === undefined ? null : checks.after + 1;
  let tail = "\n\n";

  const parser = createParser({
    onComment: (comment) => out.push({ id: null, event: "", data: "", comment }),
    onEvent: ({ id, event, data }) => {
      const frame: SseFrame = { id: id === undefined ? null : readId(id), event: event ?? "message", data };
      try {
        JSON.parse(data);
      } catch {
        throw new SseViolation(`the data of ${frame.event} is not JSON: ${data.slice(0, 80)}`);
      }
      if (frame.event === "ca_replay_gap") expected = null;
      if (frame.id !== null) {
        if (checks.contiguous !== false && expected !== null && frame.id !== expected) {
          throw new SseViolation(`event ${expected} should follow, but ${frame.id} came`);
        }
        expected = frame.id + 1;
      }
      out.push(frame);
    },
    onError: (error) => {
      throw new SseViolation(error.message);
    },
  });

  return {
    feed(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      tail = (tail + text).slice(-4);
      parser.feed(text);
      const frames = out;
      out = [];
      return frames;
    },
    end() {
      decoder.decode();
      if (!/(\n\n|\r\n\r\n|\r\r)$/.test(tail)) throw new SseViolation("the stream ended in the middle of a frame");
    },
  };
}
