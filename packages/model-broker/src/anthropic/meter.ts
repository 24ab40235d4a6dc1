import { asObject, parseObject } from "./json.ts";
import { type Metered, mergeUsage, usageOfMessage } from "./usage.ts";

/** Watches the bytes of an answer go by and knows what it used. */
export interface Meter {
  /** Looks at the next bytes, before they are passed on. */
  push(bytes: Uint8Array): void;
  /** The figures are final: nothing that follows changes them. */
  readonly final: boolean;
  /** What is known; `null` when nothing is. */
  read(): Metered | null;
}

const LINE_FEED = 10;
const MAX_LINE = 4 * 1024 * 1024;
const USAGE = Buffer.from('"usage"');
const DATA = Buffer.from("data:");

/** Meters an event stream: `message_start` tells the input, `message_delta` the output. Any chunking will do. */
export class StreamMeter implements Meter {
  #held: Buffer[] = [];
  #heldBytes = 0;
  #metered: Metered | null = null;
  #final = false;

  get final(): boolean {
    return this.#final;
  }

  push(bytes: Uint8Array): void {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const first = chunk.indexOf(LINE_FEED);
    if (first === -1) {
      this.#hold(chunk);
      return;
    }
    this.#line(this.#join(chunk.subarray(0, first)));
    const last = chunk.lastIndexOf(LINE_FEED);
    this.#lines(chunk.subarray(first + 1, last + 1));
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
  }

  /** Whole lines. Nearly all of them are text of the model, which is not looked at. */
  #lines(lines: Buffer): void {
    if (!lines.includes(USAGE)) return;
    let from = 0;
    for (let end = lines.indexOf(LINE_FEED); end !== -1; end = lines.indexOf(LINE_FEED, from)) {
      this.#line(lines.subarray(from, end));
      from = end + 1;
    }
  }

  read(): Metered | null {
    return this.#metered;
  }

  #hold(rest: Buffer): void {
    this.#heldBytes += rest.length;
    if (this.#heldBytes <= MAX_LINE) this.#held.push(Buffer.from(rest));
  }

  #join(end: Buffer): Buffer {
    if (this.#heldBytes === 0) return end;
    const whole = this.#heldBytes <= MAX_LINE ? Buffer.concat([...this.#held, end]) : Buffer.alloc(0);
    this.#held = [];
    this.#heldBytes = 0;
    return whole;
  }

  #line(line: Buffer): void {
    if (!line.subarray(0, DATA.length).equals(DATA) || !line.includes(USAGE)) return;
    const event = parseObject(line.subarray(DATA.length));
    if (event?.type === "message_start") this.#metered = usageOfMessage(asObject(event.message));
    if (event?.type !== "message_delta") return;
    const before = this.#metered ?? usageOfMessage({ usage: {} });
    if (before) this.#metered = { ...before, tokens: mergeUsage(before.tokens, asObject(event.usage)) };
    if (asObject(event.delta).stop_reason) this.#final = true;
  }
}

/** Meters a JSON answer, which has to be complete. */
export class JsonMeter implements Meter {
  readonly final = false;
  readonly #chunks: Uint8Array[] = [];

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
  }

  read(): Metered | null {
    const message = parseObject(Buffer.concat(this.#chunks));
    return message && usageOfMessage(message);
  }
}
