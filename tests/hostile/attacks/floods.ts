import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { HostProcess } from "../host.ts";
import type { Attack } from "../under-attack.ts";
import { call, open, readAll, request } from "../wire.ts";

const AT_ONCE = 250;

async function openMany(host: HostProcess, count: number, bytes: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const next = await Promise.all(Array.from({ length: AT_ONCE }, () => open(host)));
    for (const socket of next) socket.write(bytes);
    sockets.push(...next);
  }
  return sockets;
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** Status and code of each kind of answer that was read; a write after the host has closed can lose an answer before that. */
function kinds(answers: readonly string[]): string[] {
  const kind = (text: string) => `${text.split(" ")[1]} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`;
  return [...new Set(answers.filter((text) => text !== "").map(kind))];
}

const create = (host: HostProcess) =>
  call(host, "POST", "/v1/sessions", { engine: "mock", workspace: { type: "local", path: host.allowed } });

const loris: Attack = {
  name: "connections that send a byte now and then",
  async run(host) {
    const head = await openMany(host, 500, "GET /v1/health HTTP/1.1\r\nHost: x\r\nX-A: ");
    const start = request(host, "POST /v1/sessions", {
      headers: ["Content-Type: application/json", "Content-Length: 90000"],
    });
    const body = await openMany(host, 250, start);
    const answers = Promise.all([...head, ...body].map((socket) => readAll(socket, 20_000)));
    const drip = setInterval(() => {
      for (const socket of [...head, ...body]) if (!socket.destroyed) socket.write("a");
    }, 200);
    const all = await answers;
    clearInterval(drip);
    assert.deepEqual(kinds(all.slice(0, 500)), ["408 "], "slow headers");
    assert.deepEqual(kinds(all.slice(500)), ["429 LIMIT_REACHED"], "slow bodies");
  },
};

const silent = (many: number): Attack => ({
  name: "thousands of connections that say nothing",
  async run(host, stands) {
    const sockets = await openMany(host, many, "");
    // Answered behind all of them.
    assert.equal((await call(host, "GET", "/v1/health")).status, 200);
    await stands();
    closeAll(sockets);
  },
});

const readers = (many: number): Attack => ({
  name: "thousands of idle readers, and one more",
  async run(host, stands) {
    const created = await create(host);
    const path = `/v1/sessions/${String(created.json.sessionId)}`;
    const sockets = await openMany(host, many, request(host, `GET ${path}/events`));
    for (const socket of sockets) socket.resume();
    const open = async () =>
      Number(((await call(host, "GET", "/v1/health")).json.sessions as { readers: number }).readers);
    for (let i = 0; i < 200 && (await open()) < many; i++) await sleep(50);
    assert.equal(await open(), many);
    await stands();
    const more = await call(host, "GET", `${path}/events`);
    assert.deepEqual([more.status, more.json.code], [429, "LIMIT_REACHED"]);
    closeAll(sockets);
    assert.equal((await call(host, "DELETE", path)).status, 200);
  },
});

const deaf: Attack = {
  name: "readers that never read",
  async run(host) {
    const created = await create(host);
    const path = `/v1/sessions/${String(created.json.sessionId)}`;
    const sockets = await openMany(host, AT_ONCE, request(host, `GET ${path}/events`));
    for (const socket of sockets) socket.pause();
    const message = { role: "user", content: "!stream 2000 1000 0" };
    assert.equal((await call(host, "POST", `${path}/messages`, { message })).status, 202);
    await sleep(3000);
    closeAll(sockets);
    assert.equal((await call(host, "DELETE", path)).status, 200);
  },
};

const creates: Attack = {
  name: "2000 creates at once",
  async run(host) {
    const answers = await Promise.all(Array.from({ length: 2000 }, () => create(host)));
    const made = answers.filter(({ status }) => status === 201);
    assert.ok(made.length > 0 && made.length <= 8, `${made.length} were made`);
    const others = answers.filter(({ status }) => status !== 201);
    assert.deepEqual(
      [...new Set(others.map(({ status, json }) => `${status} ${String(json.code)}`))],
      ["429 LIMIT_REACHED"],
    );
    for (const { json } of made) {
      assert.equal((await call(host, "DELETE", `/v1/sessions/${String(json.sessionId)}`)).status, 200);
    }
  },
};

/** Too many, too slow, too idle. `many`: how many connections; the host must have it as its `maxReaders`. */
export const floods = (many: number): readonly Attack[] => [loris, silent(many), readers(many), deaf, creates];
