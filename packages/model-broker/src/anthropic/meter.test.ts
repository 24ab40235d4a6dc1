import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonMeter, type Meter, StreamMeter } from "./meter.ts";

const event = (type: string, data: object): string =>
  `event: ${type}\r\ndata: ${JSON.stringify({ type, ...data })}\r\n\r\n`;
const START = event("message_start", {
  message: {
    model: "claude-opus-5-5",
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_1h_input_tokens: 12 },
      output_tokens: 1,
    },
  },
});
const TEXT = event("content_block_delta", {
  delta: { type: "text_delta", text: 'ü "usage": {"output_tokens": 999} \n' },
});
const DELTA = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 40 } });
const STOP = event("message_stop", {});
const FULL = {
  model: "claude-opus-5-5",
  tokens: { input: 10, cacheRead: 20, cacheWrite: 30, cacheWrite1h: 12, output: 40 },
};

function feed(meter: Meter, bytes: Uint8Array, cuts: readonly number[]): Meter {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, from] of places.entries()) meter.push(bytes.subarray(from, places[index + 1] ?? bytes.length));
  return meter;
}

describe("StreamMeter", () => {
  it("reads the same figures however the bytes are cut", () => {
    const bytes = Buffer.from(START + TEXT + TEXT + DELTA + STOP);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        const meter = feed(new StreamMeter(), bytes, cuts);
        expect(meter.read()).toEqual(FULL);
        expect(meter.final).toBe(true);
      }),
    );
    expect(feed(new StreamMeter(), bytes, [...bytes.keys()]).read()).toEqual(FULL);
  });

  it("is final with the delta that tells why the answer ended, and not before", () => {
    const meter = new StreamMeter();
    meter.push(Buffer.from(START + TEXT));
    expect([meter.final, meter.read()?.tokens.output]).toEqual([false, 1]);
    meter.push(Buffer.from(event("message_delta", { delta: {}, usage: { output_tokens: 7 } })));
    expect([meter.final, meter.read()?.tokens.output]).toEqual([false, 7]);
    meter.push(Buffer.from(DELTA.trimEnd()));
    expect(meter.final).toBe(false);
    meter.push(Buffer.from("\r\n"));
    expect(meter.final).toBe(true);
  });

  it("knows nothing of a stream that says nothing, and never throws", () => {
    expect(new StreamMeter().read()).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const meter = new StreamMeter();
        for (const chunk of chunks) meter.push(chunk);
        meter.read();
      }),
    );
    for (const broken of ['data: {"usage"\n', 'data: ["usage"]\n', 'data: {"type":"message_start","x":"usage"}\n']) {
      expect(feed(new StreamMeter(), Buffer.from(broken), []).read()).toBeNull();
    }
  });

  it("takes an answer whose start told no usage", () => {
    const start = event("message_start", { message: { model: "m" } });
    expect(feed(new StreamMeter(), Buffer.from(start + DELTA), []).read()?.tokens.output).toBe(40);
  });

  it("forgets a line without end instead of keeping all of it", () => {
    const meter = new StreamMeter();
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let count = 0; count < 8; count++) meter.push(piece);
    meter.push(Buffer.from(`\n${START}${DELTA}`));
    expect(meter.read()).toEqual(FULL);
  });
});

describe("JsonMeter", () => {
  it("reads a whole message and nothing else", () => {
    const message = { model: "m", usage: { input_tokens: 1, output_tokens: 2 } };
    const tokens = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };
    expect(feed(new JsonMeter(), Buffer.from(JSON.stringify(message)), [3, 9]).read()).toEqual({ model: "m", tokens });
    for (const other of ["", "[1]", "{", '{"input_tokens": 4}', '{"usage": null}']) {
      expect(feed(new JsonMeter(), Buffer.from(other), []).read()).toBeNull();
    }
  });
});
