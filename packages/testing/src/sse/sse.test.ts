import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../contract/within.ts";
import { ResponseReader } from "./chunked.ts";
import { collectUntil, waitForEvent } from "./collect.ts";
import { jsonOf, SseViolation } from "./frame.ts";
import { createFrameParser, type FrameChecks } from "./frame-parser.ts";
import { followResponse, openStream } from "./open-stream.ts";
import { openRawReader } from "./raw-reader.ts";
import { readEvents } from "./read-events.ts";

const frame = (id: number | null, event = "sdk_message", data = `{"n":${id}}`) =>
  `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
const streamOf = (...texts: string[]) =>
  new Response(texts.join(""), { headers: { "content-type": "text/event-stream" } });
const all = async (response: Response, checks: FrameChecks = {}) => {
  const frames = [];
  for await (const f of readEvents(response, checks)) frames.push(f);
  return frames;
};

describe("readEvents", () => {
  it("gives ids, names, data and comments", async () => {
    const frames = await all(streamOf(frame(0), ": hi\n\n", frame(null, "ca_resync", '{"reason":"limit"}'), frame(1)));
    expect(frames.map((f) => [f.id, f.event, f.comment])).toEqual([
      [0, "sdk_message", undefined],
      [null, "", "hi"],
      [null, "ca_resync", undefined],
      [1, "sdk_message", undefined],
    ]);
    expect(frames[2] && jsonOf(frames[2])).toEqual({ reason: "limit" });
  });

  it.each([
    ["a hole", [frame(0), frame(2)], {}],
    ["a repeated id", [frame(3), frame(3)], {}],
    ["a first id that does not follow the cursor", [frame(7)], { after: 5 }],
    ["an id that is no number", ["id: x\ndata: {}\n\n"], {}],
    ["data that is not JSON", ["id: 0\ndata: {\n\n"], {}],
    ["a cut frame", [frame(0), "id: 1\ndata: {}\n"], {}],
  ])("refuses %s", async (_what, texts, checks) => {
    await expect(all(streamOf(...texts), checks)).rejects.toThrow(SseViolation);
  });

  it("lets a gap frame start anew, and does not count where told so", async () => {
    const gap = frame(null, "ca_replay_gap", '{"requestedId":2,"oldestId":90,"headId":91}');
    expect(await all(streamOf(gap, frame(90), frame(91)), { after: 2 })).toHaveLength(3);
    expect(await all(streamOf(frame(0), frame(5)), { contiguous: false })).toHaveLength(2);
  });

  it("refuses answers that are no stream, with what they say", async () => {
    await expect(all(new Response("no", { status: 404 }))).rejects.toThrow(/404.*no/);
    await expect(all(Response.json({}))).rejects.toThrow(/application\/json/);
  });

  it("does not depend on how the bytes are cut", () => {
    const text = `${frame(0, "sdk_message", '{"t":"ä\u2028€😀"}')}: c\n\n${frame(1)}`;
    const bytes = new TextEncoder().encode(text);
    const whole = createFrameParser().feed(bytes);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: bytes.length })), (cuts) => {
        const parser = createFrameParser();
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const frames = edges.flatMap((edge, i) => parser.feed(bytes.subarray(edge, edges[i + 1] ?? edge)));
        parser.end();
        expect(frames).toEqual(whole);
      }),
    );
  });
});

describe("collecting", () => {
  it("takes up to the wanted frame and leaves the rest", async () => {
    const frames = readEvents(streamOf(frame(0), frame(1), frame(2), frame(3)));
    expect(await collectUntil(frames, (f) => f.id === 1)).toHaveLength(2);
    expect((await waitForEvent(frames, (f) => f.id === 3)).id).toBe(3);
    await expect(waitForEvent(frames, () => true)).rejects.toThrow(/ended too early, after: nothing/);
  });

  it("says what came when time is up", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    void writable.getWriter().write(new TextEncoder().encode(frame(0) + frame(1)));
    const response = new Response(readable, { headers: { "content-type": "text/event-stream" } });
    await expect(collectUntil(readEvents(response), () => false, 50)).rejects.toThrow(/came: sdk_message×2/);
  });
});

describe("over a real connection", () => {
  let handle: (res: ServerResponse, headers: NodeJS.Dict<string | string[]>) => void = () => {};
  const server = createServer((req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" });
    handle(res, req.headers);
  });
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/x?after=1`;
  });
  afterEach(() => server.closeAllConnections());
  afterAll(() => server.close());

  it("follows in the background and finds past and coming frames", async () => {
    let later: () => void = () => {};
    handle = (res, headers) => {
      res.write(frame(6) + frame(null, "who", JSON.stringify({ cursor: headers["last-event-id"] })));
      later = () => res.end(frame(7, "ca_session_ended"));
    };
    const stream = await openStream(url, { after: 5 });
    expect(jsonOf(await stream.waitFor("who"))).toEqual({ cursor: "5" });
    later();
    expect((await stream.waitFor("ca_session_ended")).id).toBe(7);
    await stream.ended;
    expect(stream.events().map((f) => f.id)).toEqual([6, 7]);
    await expect(stream.waitFor("never")).rejects.toThrow(/never did not come.*came: sdk_message who ca_session_ended/);
  });

  it("reports a broken rule to who waits, and to who asks for the end", async () => {
    handle = (res) => res.write(frame(0) + frame(3));
    const stream = await openStream(url);
    await expect(stream.waitFor("x")).rejects.toThrow(/event 1 should follow, but 3 came/);
    await expect(stream.ended).rejects.toThrow(SseViolation);
  });

  it("closes the connection", async () => {
    const gone = Promise.withResolvers<void>();
    handle = (res) => {
      res.write(frame(0));
      res.on("close", gone.resolve);
    };
    const stream = followResponse(await fetch(url));
    await stream.waitFor("sdk_message");
    stream.close();
    await gone.promise;
    await stream.ended;
  });

  it("stalls a raw reader until it resumes", async () => {
    const total = 40_000;
    handle = (res) => {
      for (let n = 0; n < total; n++) res.write(frame(n, "sdk_message", JSON.stringify({ pad: "x".repeat(300) })));
      res.end();
    };
    const reader = await openRawReader(url, { stalled: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(reader.frames).toHaveLength(0);
    reader.resume();
    expect((await reader.response).headers["content-type"]).toBe("text/event-stream");
    await eventually(20_000, "half of the frames", () => reader.frames.length > total / 2);
    reader.stall();
    reader.resume();
    expect(await reader.closed).toEqual({ complete: true });
    expect(reader.frames).toHaveLength(total);
    expect(reader.frames.at(-1)?.id).toBe(total - 1);
  });

  it("tells a cut connection from a proper end", async () => {
    handle = (res) => {
      res.write(frame(0));
      setImmediate(() => res.destroy());
    };
    const reader = await openRawReader(url);
    expect(await reader.closed).toEqual({ complete: false });
    await expect(openRawReader("http://127.0.0.1:1/")).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("ResponseReader", () => {
  it("takes chunks apart however they are cut", () => {
    const raw = Buffer.from(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\n\r\n",
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: raw.length })), (cuts) => {
        const reader = new ResponseReader();
        const edges = [0, ...cuts.toSorted((a, b) => a - b), raw.length];
        const body = edges.map((edge, i) => reader.feed(raw.subarray(edge, edges[i + 1] ?? edge)).toString()).join("");
        expect(body).toBe("hello world");
        expect(reader.complete).toBe(true);
        expect(reader.response?.status).toBe(200);
      }),
    );
  });
});
