import { once } from "node:events";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openSession } from "./session.test-support.ts";
import { DELTA, endpoint, event, message, START, STOP } from "./upstream.test-support.ts";

const STREAM = { "content-type": "text/event-stream; charset=utf-8" };
const call = (grant: { baseUrl: string; token: string }, init: RequestInit = {}, path = "/v1/messages?beta=true") =>
  fetch(grant.baseUrl + path, {
    method: "POST",
    body: '{"model":"claude-opus-5-5","messages":[]}',
    ...init,
    headers: { "x-api-key": grant.token, ...(init.headers as Record<string, string>) },
  });

describe("forwarding", () => {
  it("passes requests on as they are, with the route's credential in place of the session's", async () => {
    await using real = await endpoint((response) => {
      response.writeHead(418, {
        "request-id": "r1",
        "set-cookie": "a=b",
        "x-custom": "c",
        connection: "close, x-hop",
        "x-hop": "1",
      });
      response.end("teapot");
    });
    await using session = await openSession({}, { routes: [real.route] });
    const headers = {
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "x,y",
      "x-new": "1",
      cookie: "c=d",
      "accept-encoding": "gzip",
    };
    const answer = await call(session.grant, { headers, body: '{"a":"ü"}' }, "/v1/unknown/path?x=1&y=%20");
    expect([
      answer.status,
      await answer.text(),
      answer.headers.get("request-id"),
      answer.headers.get("x-custom"),
    ]).toEqual([418, "teapot", "r1", "c"]);
    expect([answer.headers.get("set-cookie"), answer.headers.get("x-hop")]).toEqual([null, null]);
    const [seen] = real.seen;
    expect(seen).toMatchObject({ method: "POST", url: "/api/v1/unknown/path?x=1&y=%20", body: '{"a":"ü"}' });
    expect(seen?.headers).toMatchObject({
      "x-api-key": "sk-real",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "x,y",
      "x-new": "1",
      "accept-encoding": "identity",
      host: new URL(real.route.baseUrl ?? "").host,
    });
    expect([seen?.headers.authorization, seen?.headers.cookie]).toEqual([undefined, undefined]);
    expect(JSON.stringify(seen)).not.toContain(session.grant.token);
  });

  it("streams byte for byte as it comes, and counts before the end is sent", async () => {
    const parts = [
      START.slice(0, 40),
      START.slice(40),
      event("ping"),
      DELTA.slice(0, 30),
      DELTA.slice(30) + STOP.slice(0, 10),
      STOP.slice(10),
    ];
    const steps = parts.map(() => Promise.withResolvers<void>());
    await using real = await endpoint(async (response) => {
      response.writeHead(200, STREAM);
      for (const [index, part] of parts.entries()) {
        response.write(part);
        await steps[index]?.promise;
      }
      response.end();
    });
    await using session = await openSession({}, { routes: [real.route] });
    const answer = await call(session.grant, { headers: { "x-claude-code-agent-id": "a1" } });
    let received = "";
    const counted: number[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      received += decoder.decode(chunk, { stream: true });
      counted.push(session.calls.length);
      const next = parts.findIndex((_, index) => received === parts.slice(0, index + 1).join(""));
      steps[next]?.resolve();
    }
    expect(received).toBe(parts.join(""));
    expect(counted).toEqual([0, 0, 0, 0, 1, 1]);
    expect(session.calls).toEqual([
      {
        model: "claude-opus-5-5",
        billing: "metered",
        agentId: "a1",
        usage: {
          input_tokens: 11,
          output_tokens: 22,
          cache_read_input_tokens: 0,
          cache_creation_input_tokens: 0,
          cost_usd: (11 * 4 + 22 * 20) / 1e6,
        },
      },
    ]);
  });

  it("counts whole answers, and only answers of the model", async () => {
    const usage = { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7, cache_creation_input_tokens: 8 };
    await using real = await endpoint((response, { url }) => {
      response.writeHead(url?.includes("fail") ? 500 : 200, { "content-type": "application/json" });
      response.end(message(usage));
    });
    await using session = await openSession({}, { routes: [real.route] });
    const answer = await call(session.grant);
    expect(await answer.text()).toBe(message(usage));
    expect(session.calls).toMatchObject([{ usage }]);
    await call(session.grant, {}, "/v1/messages/count_tokens");
    await call(session.grant, {}, "/v1/messages?fail");
    await call(session.grant, { method: "GET", body: null });
    expect(session.calls).toHaveLength(1);
  });

  it("counts what is known of a call that was cut, and stops the endpoint when the engine goes", async () => {
    const closed = Promise.withResolvers<void>();
    await using real = await endpoint(async (response) => {
      response.on("close", () => closed.resolve());
      response.writeHead(200, STREAM);
      response.write(START);
    });
    await using session = await openSession({}, { routes: [real.route] });
    const gone = new AbortController();
    const answer = await call(session.grant, { signal: gone.signal });
    await answer.body?.getReader().read();
    gone.abort();
    await closed.promise;
    await expect.poll(() => session.calls.length).toBe(1);
    expect(session.calls[0]?.usage).toMatchObject({ input_tokens: 11, output_tokens: 1 });
  });

  it("gives the engine a broken stream when the endpoint breaks it", async () => {
    await using real = await endpoint(async (response) => {
      response.writeHead(200, STREAM);
      response.write(START);
      await wait(50);
      response.destroy();
    });
    await using session = await openSession({}, { routes: [real.route] });
    await expect(call(session.grant).then((answer) => answer.text())).rejects.toThrow();
    await expect.poll(() => session.calls.length).toBe(1);
  });

  it("takes from the endpoint no faster than the engine reads", async () => {
    const chunk = Buffer.from(event("x", { data: "y".repeat(60_000) }));
    let sent = 0;
    await using real = await endpoint(async (response) => {
      response.writeHead(200, STREAM);
      for (; sent < 1000; sent++) {
        if (!response.write(chunk)) await once(response, "drain");
      }
      response.end();
    });
    await using session = await openSession({}, { routes: [real.route] });
    const answer = await call(session.grant);
    const reader = answer.body?.getReader();
    await reader?.read();
    await wait(500);
    expect(sent).toBeLessThan(900);
    let size = 0;
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) size += read.value.length;
    expect(size).toBeGreaterThan(chunk.length * 998);
  });

  it("answers an endpoint that cannot be reached with an error that is worth another try", async () => {
    const real = await endpoint(() => {});
    await real[Symbol.asyncDispose]();
    await using session = await openSession({}, { routes: [real.route] });
    const answer = await call(session.grant);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      type: "error",
      error: { type: "api_error", message: expect.stringContaining("ECONNREFUSED") },
    });
  });

  it("speaks TLS to an https endpoint", async () => {
    await using real = await endpoint((response) => response.end("{}"));
    const baseUrl = (real.route.baseUrl ?? "").replace("http:", "https:");
    await using session = await openSession({}, { routes: [{ ...real.route, baseUrl }] });
    const answer = await call(session.grant);
    expect([answer.status, await answer.text(), real.seen]).toEqual([502, expect.stringMatching(/SSL|EPROTO/), []]);
  });

  it("sends a call again when the endpoint had closed the kept connection", async () => {
    let first = true;
    await using real = await endpoint((response, _seen, request) => {
      if (!first && request.socket.listenerCount("reused") > 0) request.socket.destroy();
      else {
        request.socket.on("reused", () => {});
        response.end(message({ input_tokens: 1, output_tokens: 1 }));
      }
      first = false;
    });
    await using session = await openSession({}, { routes: [real.route] });
    expect((await call(session.grant)).status).toBe(200);
    await wait(20);
    expect((await call(session.grant)).status).toBe(200);
    expect(real.seen).toHaveLength(3);
  });

  it("refuses the token and cuts its calls when the session is closed, and the call is counted by then", async () => {
    await using real = await endpoint((response) => {
      response.writeHead(200, STREAM);
      response.write(START);
    });
    await using session = await openSession({}, { routes: [real.route] });
    const answer = await call(session.grant);
    const body = answer.text();
    body.catch(() => {});
    await session.grant.close();
    await session.grant.close();
    expect(session.calls).toHaveLength(1);
    await expect(body).rejects.toThrow();
    expect((await call(session.grant)).status).toBe(401);
  });

  it("closes a session whose engine is still sending its request", async () => {
    await using session = await openSession();
    const { host } = new URL(session.grant.baseUrl);
    const headers = { host, "x-api-key": session.grant.token, "content-length": "100" };
    const slow = request(`${session.grant.baseUrl}/v1/messages`, { method: "POST", headers });
    const failed = once(slow, "error");
    slow.write("{");
    await once(slow, "socket");
    await wait(50);
    await session.grant.close();
    await failed;
  });

  it("goes on when a listener throws", async () => {
    await using real = await endpoint((response) => response.end(message({ input_tokens: 1, output_tokens: 1 })));
    const warned: string[] = [];
    const onUsage = () => {
      throw new Error("listener");
    };
    const logger = { warn: (_fields: object, text: string) => void warned.push(text) };
    await using session = await openSession({ onUsage }, { routes: [real.route], logger });
    expect((await call(session.grant)).status).toBe(200);
    expect(warned).toEqual(["a listener of the model broker failed"]);
  });
});
