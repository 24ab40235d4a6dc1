import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { followSession, readStream, type StreamItem } from "./follow.ts";
import { frame, stubHost } from "./stub-host.test-support.ts";

const STREAM = [
  frame(0, "ca_session_started", { sessionId: "s" }),
  frame(1, "sdk_message", { text: "zwölf Boxkämpfer \u2028 \u{1f600}" }),
  ": keep-alive\n\n",
  frame(2, "sdk_message", { text: "two" }),
  frame(3, "ca_session_ended", { reason: "complete" }),
].join("");

const collect = async (items: AsyncIterable<StreamItem>): Promise<StreamItem[]> => {
  const all: StreamItem[] = [];
  for await (const item of items) all.push(item);
  return all;
};

describe("followSession", () => {
  it("gives every event once, in order, wherever the connection is cut", async () => {
    const bytes = Buffer.from(STREAM);
    for (let cut = 0; cut <= bytes.length; cut += 7) {
      let first = true;
      const host = await stubHost((asked, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (first) {
          first = false;
          response.write(bytes.subarray(0, cut), () => response.destroy());
          return;
        }
        const last = Number(asked.headers["last-event-id"] ?? "-1");
        response.end(STREAM.slice(last < 0 ? 0 : STREAM.indexOf(`id: ${last + 1}\n`)));
      });
      const items = await collect(followSession(createClient({ baseUrl: host.url }), "s"));
      expect(
        items.map((i) => i.id),
        `cut after ${cut} bytes`,
      ).toEqual([0, 1, 2, 3]);
      expect(items[1]?.data).toEqual({ text: "zwölf Boxkämpfer \u2028 \u{1f600}" });
    }
  });

  it("begins after a given id, and knows a gap and repeated permission requests by their missing id", async () => {
    const gap = 'event: ca_replay_gap\ndata: {"requestedId":1,"oldestId":5,"headId":6}\n\n';
    const host = await stubHost((_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(gap + frame(5, "sdk_message", {}) + frame(6, "ca_session_ended", { reason: "complete" }));
    });
    const items = await collect(followSession(createClient({ baseUrl: host.url }), "s", { after: 1 }));
    expect(host.asked[0]?.headers["last-event-id"]).toBe("1");
    expect(items.map((i) => [i.id, i.type])).toEqual([
      [undefined, "ca_replay_gap"],
      [5, "sdk_message"],
      [6, "ca_session_ended"],
    ]);
  });

  it("ends at 204, and does not try again what the host refuses", async () => {
    const empty = await stubHost((_asked, response) => {
      response.statusCode = 204;
      response.end();
    });
    expect(await collect(followSession(createClient({ baseUrl: empty.url }), "s", { after: 9 }))).toEqual([]);
    const missing = await stubHost((_asked, response) => {
      response.statusCode = 404;
      response.end(JSON.stringify({ code: "NOT_FOUND", detail: "no session with this id" }));
    });
    await expect(collect(followSession(createClient({ baseUrl: missing.url }), "s"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(missing.asked).toHaveLength(1);
  });

  it("gives up after the allowed number of failures in a row, and at once when aborted", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9" });
    await expect(collect(followSession(client, "s", { maxRetries: 1 }))).rejects.toMatchObject({ code: "UNREACHABLE" });
    const abort = new AbortController();
    const waiting = collect(followSession(client, "s", { signal: abort.signal }));
    setTimeout(() => abort.abort(new Error("enough")), 50);
    await expect(waiting).rejects.toThrow("enough");
  });
});

describe("readStream", () => {
  it("refuses data that is not JSON", async () => {
    const body = new Response("id: 0\nevent: sdk_message\ndata: {oops\n\n").body;
    if (!body) throw new Error("no body");
    await expect(collect(readStream(body))).rejects.toMatchObject({ code: "BAD_ANSWER" });
  });
});
