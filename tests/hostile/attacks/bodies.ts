import assert from "node:assert/strict";
import type { HostProcess } from "../host.ts";
import type { Attack } from "../under-attack.ts";
import { call, open, readAll, request, send } from "../wire.ts";

const TYPE = "Content-Type: application/json";

async function refused(host: HostProcess, body: string, status: number, code: string): Promise<void> {
  const answer = await call(host, "POST", "/v1/sessions", body);
  assert.deepEqual([answer.status, answer.json.code], [status, code], body.slice(0, 80));
  assert.ok(JSON.stringify(answer.json).length < 64 * 1024, "the answer grows with the question");
}

const giant: Attack = {
  name: "bodies over the limit, announced, endless or cut",
  async run(host) {
    const size = 40 * 1024 * 1024;
    const head = { headers: [TYPE, `Content-Length: ${size}`] };
    assert.deepEqual((await send(host, request(host, "POST /v1/sessions", head))).statuses, [413]);
    const socket = await open(host);
    const answer = readAll(socket, 20_000);
    socket.write(request(host, "POST /v1/sessions", { headers: [TYPE, "Transfer-Encoding: chunked"] }));
    const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`;
    for (let sent = 0; sent < 64 && !socket.destroyed; sent++) {
      await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
    }
    socket.end();
    // What is written after the host has closed can lose an answer before that.
    assert.match(await answer, /^(?:HTTP\/1\.1 413 |$)/);
    const cut = await open(host);
    cut.write(request(host, "POST /v1/sessions", { headers: [TYPE, "Content-Length: 5000"] }));
    cut.end('{"engine":"mock"}');
    assert.doesNotMatch(await readAll(cut), /HTTP\/1\.1 2/);
    const large = JSON.stringify({ engine: "mock", options: { x: "y".repeat(30 * 1024 * 1024) } });
    assert.ok((await call(host, "POST", "/v1/sessions", large)).status >= 400);
  },
};

const shapes: Attack = {
  name: "JSON that is deep, wide or forged",
  async run(host) {
    const deep = 500_000;
    await refused(host, `{"engine":"mock","options":${"[".repeat(deep)}${"]".repeat(deep)}}`, 400, "VALIDATION");
    await refused(host, "[".repeat(4_000_000), 400, "VALIDATION");
    const keys = Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":0`).join(",");
    await refused(host, `{"engine":"mock","options":{${keys}}}`, 400, "VALIDATION");
    await refused(host, `{${keys}}`, 400, "VALIDATION");
    const some = Array.from({ length: 19_000 }, (_, i) => `"k${i}":0`).join(",");
    await refused(host, `{"engine":"mock",${some}}`, 400, "VALIDATION");
    await refused(host, '{"engine":"mock","__proto__":{"a":1}}', 400, "VALIDATION");
    await refused(host, '{"engine":"mock","constructor":{"prototype":{"a":1}}}', 400, "VALIDATION");
    await refused(host, '{"engine":"mock","engine":"nobody","workspace":{"type":"identity"}}', 400, "UNKNOWN_ENGINE");
    await refused(host, '{"engine":"mock"}{"engine":"mock"}', 400, "VALIDATION");
    for (const body of ["null", "[]", '"mock"', "1e999", "{", ""]) await refused(host, body, 400, "VALIDATION");
  },
};

const options: Attack = {
  name: "options, variables and folders that only the operator may set",
  async run(host) {
    const create = (body: object) =>
      call(host, "POST", "/v1/sessions", { engine: "mock", workspace: { type: "local", path: host.allowed }, ...body });
    for (const options of [
      { pathToExecutable: "/bin/sh" },
      { extraArgs: ["--dangerously-skip-permissions"] },
      { "--settings": "/tmp/x.json" },
      { env: { A: "b" } },
      { hooks: {} },
    ]) {
      const { status, json } = await create({ options });
      assert.deepEqual([status >= 400, json.code], [true, "OPTION_NOT_ALLOWED"]);
    }
    for (const envs of [
      { LD_PRELOAD: "/tmp/x.so" },
      { NODE_OPTIONS: "--require /tmp/x" },
      { "A\nB": "c" },
      { PATH: "/tmp" },
      { GIT_SSH_COMMAND: "sh" },
      { A: "b\0c" },
    ]) {
      const { status } = await create({ envs });
      assert.ok(status === 400 || status === 403 || status === 422, `${Object.keys(envs)} got ${status}`);
    }
    for (const path of [
      "/",
      "/etc",
      host.home,
      `${host.allowed}/..`,
      `${host.allowed}-beside`,
      `${host.allowed}/../home`,
      "relative",
      "/tmp\0/x",
    ]) {
      const { status } = await create({ workspace: { type: "local", path } });
      assert.ok(status === 400 || status === 403, `${path} got ${status}`);
    }
  },
};

/** What is wrong with a body. */
export const bodies: readonly Attack[] = [giant, shapes, options];
