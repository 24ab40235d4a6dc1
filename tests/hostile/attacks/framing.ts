import assert from "node:assert/strict";
import type { Attack } from "../under-attack.ts";
import { call, open, readAll, request, send } from "../wire.ts";

const TYPE = "Content-Type: application/json";
const BODY = JSON.stringify({ engine: "mock" });

const smuggling: Attack = {
  name: "requests of two readings",
  async run(host) {
    const post = (...headers: string[]) => request(host, "POST /v1/sessions", { headers: [TYPE, ...headers] });
    const inner = "GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n";
    for (const bytes of [
      `${post("Content-Length: 6", "Transfer-Encoding: chunked")}0\r\n\r\n${inner}`,
      `${post("Content-Length: 4", "Content-Length: 17")}${BODY}`,
      `${post("Content-Length: 4, 17")}${BODY}`,
      `${post("Content-Length: +17")}${BODY}`,
      `${post("Content-Length: -1")}${BODY}`,
      `${post("Transfer-Encoding: xchunked")}0\r\n\r\n`,
      `${post("Transfer-Encoding: chunked, identity")}0\r\n\r\n`,
      `${post("Transfer-Encoding: chunked")}ZZ\r\n${BODY}\r\n0\r\n\r\n`,
      `${post("X-Fold: a", " b: c", "Content-Length: 17")}${BODY}`,
      `${post("Content-Length : 17")}${BODY}`,
      `${post("X-Nul: a\0b", "Content-Length: 17")}${BODY}`,
      post("Content-Length: 17").replaceAll("\r\n", "\n") + BODY,
      "GET /v1/sessions HTTP/9.9\r\nHost: localhost\r\n\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]) {
      const { statuses, text } = await send(host, bytes);
      assert.ok(
        statuses.length === 1 && (statuses[0] ?? 0) >= 400,
        `${JSON.stringify(bytes)} got ${text.slice(0, 200)}`,
      );
    }
    const garbage = await send(
      host,
      `${request(host, "GET /v1/health").replace("Connection: close\r\n", "")}\0\0garbage\r\n\r\n`,
    );
    assert.equal(garbage.statuses.at(-1), 400);
  },
};

const headers: Attack = {
  name: "floods of headers",
  async run(host) {
    const flood = (count: number, size: number) =>
      Array.from({ length: count }, (_, i) => `X-${i}: ${"y".repeat(size)}`);
    assert.deepEqual(
      (await send(host, request(host, "GET /v1/health", { headers: flood(1, 1_000_000) }))).statuses,
      [431],
    );
    assert.deepEqual(
      (await send(host, request(host, "GET /v1/health", { headers: flood(20_000, 10) }))).statuses,
      [431],
    );
    const path = `/v1/sessions?${"a".repeat(1_000_000)}`;
    assert.deepEqual((await send(host, request(host, `GET ${path}`))).statuses, [431]);
    const id = `GET /v1/sessions/x/events`;
    const cursor = request(host, id, { headers: [`Last-Event-ID: ${"9".repeat(1_000_000)}`] });
    assert.deepEqual((await send(host, cursor)).statuses, [431]);
  },
};

const paths: Attack = {
  name: "paths and queries that are read in two ways",
  async run(host) {
    const created = await call(host, "POST", "/v1/sessions", {
      engine: "mock",
      workspace: { type: "local", path: host.allowed },
    });
    assert.equal(created.status, 201);
    const session = `/v1/sessions/${String(created.json.sessionId)}`;
    const status = async (path: string) => (await send(host, request(host, `GET ${path}`))).statuses;
    for (const path of [
      "%2e%2e/%2e%2e/etc/passwd",
      "..%2f..%2fetc",
      "a%00b",
      "%c0%ae%c0%ae/etc",
      "%ff",
      "%zz",
      "/etc/passwd",
    ]) {
      const [answer] = await status(`${session}/fs/file?path=${path}`);
      assert.ok(answer && answer >= 400 && answer < 500, `${path} got ${answer}`);
    }
    for (const path of [
      "/v1/sessions/%00",
      "/v1/sessions/%ff",
      "/v1/sessions/%",
      "/v1/sessions/..%2fhealth",
      "/v1//sessions",
      "/V1/sessions",
      "/v1/sessions/%c0%af",
      "/v1/sessions/",
    ]) {
      const [answer] = await status(path);
      assert.ok(answer === 400 || answer === 404, `${path} got ${answer}`);
    }
    for (const query of ["?limit=1&limit=2", "?nobody=1", "?__proto__=1", "?limit=%ff"]) {
      assert.deepEqual(await status(`/v1/sessions${query}`), [400], query);
    }
    for (const after of ["-2", "1.5", "NaN", "9007199254740993", "1e99", "0x10", "1&after=2"]) {
      const [answer] = await status(`${session}/events?after=${after}`);
      assert.equal(answer, 400, `after=${after}`);
    }
    for (const guessed of ["call_1", "__proto__", "0", "%2e%2e", "x".repeat(5000)]) {
      const answer = await call(host, "POST", `${session}/permission/${guessed}`, { decision: "allow" });
      assert.ok(answer.status === 404 || answer.status === 409, `${guessed.slice(0, 20)} got ${answer.status}`);
    }
    assert.equal((await call(host, "DELETE", session)).status, 200);
  },
};

const halfClosed: Attack = {
  name: "half-closed and reset connections",
  async run(host) {
    const half = await open(host);
    half.end(request(host, "GET /v1/health"));
    assert.match(await readAll(half), /^HTTP\/1\.1 200 /);
    const whole = request(host, "POST /v1/sessions", { headers: [TYPE, "Content-Length: 100"] });
    for (let i = 0; i < 200; i++) {
      const socket = await open(host);
      socket.write(whole.slice(0, 20 + i));
      if (i % 2) socket.resetAndDestroy();
      else socket.destroy();
    }
  },
};

/** What is wrong with how a request is written. */
export const framing: readonly Attack[] = [smuggling, headers, paths, halfClosed];
