import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorOf, HarnessClientError } from "./errors.ts";
import { readStream, type StreamItem } from "./follow.ts";
import { type Frame, readFrames } from "./frames.ts";

function bodyOf(bytes: Uint8Array, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
  const pieces = edges.slice(1).map((edge, i) => bytes.subarray(edges[i], edge));
  return new ReadableStream({
    pull(controller) {
      const next = pieces.shift();
      if (next) controller.enqueue(next);
      else controller.close();
    },
  });
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function framesOf(bytes: Uint8Array, cuts?: readonly number[]): Promise<Frame[]> {
  return await collect(readFrames(bodyOf(bytes, cuts)));
}

const cuts = fc.array(fc.nat(2000), { maxLength: 12 });

describe("the event stream of a host", () => {
  it("comes back as it was sent, however it is cut", async () => {
    const event = fc.record({ id: fc.nat(), type: fc.constantFrom("sdk_message", "ca_notice"), data: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 8 }), cuts, async (events, at) => {
        const text = events.map(({ id, type, data }) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
        const items: StreamItem[] = await collect(readStream(bodyOf(Buffer.from(text.join("")), at)));
        expect(items).toEqual(JSON.parse(JSON.stringify(events)));
      }),
    );
  });

  it("may be anything: the same frames for every cut, and no error but our own", async () => {
    const piece = fc.constantFrom(
      "id: 1",
      "id: x",
      "id:\0",
      "event: a",
      "data: {}",
      "data: ",
      ": c",
      "\n",
      "\n\n",
      "\r",
      "\r\n",
      "\ufeff",
      "retry: 1",
      "é",
      "{",
    );
    const bytes = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((all) => Buffer.from(all.join(""))),
      fc.uint8Array({ maxLength: 300 }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, cuts, async (all, at) => {
        expect(await framesOf(all, at)).toEqual(await framesOf(all));
        const error: unknown = await collect(readStream(bodyOf(all, at))).then(
          (items) => {
            for (const { id } of items) if (id !== undefined) expect(Number.isSafeInteger(id)).toBe(true);
          },
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(HarnessClientError.isInstance(error)).toBe(true);
      }),
    );
  });

  it("is read to its end: 1 MB of frames in one piece, and one frame of 1 MB in many", async () => {
    expect(await framesOf(Buffer.from("data:1\n\n".repeat(125_000)))).toHaveLength(125_000);
    const large = Buffer.from(`data: ${"x".repeat(1_000_000)}\n\n`);
    const small = Array.from({ length: 10_000 }, (_, i) => i * 100);
    expect((await framesOf(large, small))[0]?.data).toHaveLength(1_000_000);
    for (const piece of [":", "id:", "data:\n", "a", "\r", "\n"]) {
      const bytes = Buffer.from(piece.repeat(1_000_000 / piece.length));
      expect((await framesOf(bytes, small)).length).toBeLessThanOrEqual(1);
    }
  });
});

describe("an answer that is no success", () => {
  it("becomes an error with a code, whatever it says", async () => {
    const problem = fc.record(
      { code: fc.jsonValue(), detail: fc.jsonValue(), errors: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())) },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      problem.map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (body) => {
        const error = await errorOf(new Response(body, { status: 400 }));
        expect([typeof error.code, error.status]).toEqual(["string", 400]);
      }),
    );
  });
});
