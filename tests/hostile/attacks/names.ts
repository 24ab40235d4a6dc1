import assert from "node:assert/strict";
import type { HostProcess } from "../host.ts";
import type { Attack } from "../under-attack.ts";
import { request, send } from "../wire.ts";

const BODY = JSON.stringify({ engine: "mock" });
const JSON_TYPE = "Content-Type: application/json";

async function refused(host: HostProcess, bytes: string, statuses: readonly number[], code?: string): Promise<void> {
  const answer = await send(host, bytes);
  const about = `${JSON.stringify(bytes.slice(0, 120))} got ${answer.text.slice(0, 300)}`;
  assert.equal(answer.statuses.length, 1, about);
  assert.ok(statuses.includes(answer.statuses[0] ?? 0), about);
  if (code) assert.ok(answer.text.includes(`"code":"${code}"`), about);
}

const rebinding: Attack = {
  name: "names that were rebound to the host",
  async run(host) {
    const { port } = host;
    for (const name of [
      "evil.example",
      `localhost.evil.example:${port}`,
      `localhost.:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0.0.0.0:${port}`,
      `[::]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `[::1%25lo]:${port}`,
      `localhost:${port + 1}`,
      `localhost:0${port}`,
      `user@localhost:${port}`,
      "localhost:",
      "",
    ]) {
      const head = { host: name, headers: [JSON_TYPE], body: BODY };
      await refused(host, request(host, "POST /v1/sessions", head), [400, 403]);
    }
    await refused(host, request(host, "GET /v1/health", { host: "evil.example" }), [403], "HOST_NOT_ALLOWED");
    for (const target of ["http://evil.example/v1/sessions", `https://localhost:${port}/v1/sessions`, "*"]) {
      await refused(host, request(host, `GET ${target}`), [400, 403]);
    }
    const twice = request(host, "GET /v1/sessions", { headers: ["Host: evil.example"] });
    await refused(host, twice, [400, 403]);
    await refused(host, request(host, "GET /v1/sessions").replace(/Host: .*\r\n/, ""), [400]);
  },
};

const crossOrigin: Attack = {
  name: "posts of other pages",
  async run(host) {
    const origins = ["null", "https://evil.example", `http://localhost:${host.port}.evil.example`, "", "file://"];
    const all = [
      ...origins.map((origin) => `Origin: ${origin}`),
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Site: same-site",
    ];
    for (const header of all) {
      const head = { headers: [JSON_TYPE, header], body: BODY };
      await refused(host, request(host, "POST /v1/sessions", head), [403], "ORIGIN_NOT_ALLOWED");
    }
    const preflight = await send(
      host,
      request(host, "OPTIONS /v1/sessions", { headers: ["Origin: https://evil.example"] }),
    );
    assert.deepEqual(preflight.statuses, [403]);
    assert.ok(!/access-control/i.test(preflight.text));
  },
};

const forms: Attack = {
  name: "posts of forms",
  async run(host) {
    const id = "session_00000000-0000-7000-8000-000000000000";
    const routes = [
      "/v1/chat",
      "/v1/sessions",
      ...["messages", "interrupt", "cancel", "end-input", "fork", "permission/c", "fs/edit", "fs/mkdir", "fs/move"].map(
        (end) => `/v1/sessions/${id}/${end}`,
      ),
    ];
    const types = [
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain",
      "text/plain; a=application/json",
    ];
    for (const path of routes) {
      for (const type of types) {
        const head = { headers: [`Content-Type: ${type}`], body: BODY };
        await refused(host, request(host, `POST ${path}`, head), [415], "UNSUPPORTED_MEDIA_TYPE");
      }
      await refused(host, request(host, `POST ${path}`, { body: BODY }), [415], "UNSUPPORTED_MEDIA_TYPE");
    }
  },
};

const methods: Attack = {
  name: "methods and upgrades that nobody offers",
  async run(host) {
    for (const method of ["TRACE", "PATCH", "PUT", "OPTIONS", "DELETE"]) {
      await refused(host, request(host, `${method} /v1/sessions`), [405]);
    }
    await refused(host, request(host, "CONNECT evil.example:443"), [405]);
    const override = ["X-HTTP-Method-Override: DELETE", "X-Original-URL: /v1/chat"];
    assert.deepEqual((await send(host, request(host, "GET /v1/sessions", { headers: override }))).statuses, [200]);
    const upgrade = request(host, "GET /v1/sessions", { headers: ["Upgrade: websocket", "Connection: upgrade"] });
    assert.deepEqual((await send(host, upgrade.replace("Connection: upgrade\r\n", ""))).statuses, [200]);
    await refused(
      host,
      request(host, "POST /v1/sessions", { headers: ["Expect: a-miracle", JSON_TYPE], body: BODY }),
      [417],
    );
  },
};

/** Who asks for the host by a name, from a page, or by a method that it does not answer to. */
export const names: readonly Attack[] = [rebinding, crossOrigin, forms, methods];
