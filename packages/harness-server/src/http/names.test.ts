import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";
import { createHarnessServer } from "../server.ts";
import { sendRaw } from "./raw.test-support.ts";

const get = (url: string, headers: string, path = "/v1/sessions") =>
  sendRaw(url, `GET ${path} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);

describe("the Host header", () => {
  it("must be one of the listener's names, exactly", async () => {
    const { url } = await boot();
    const { port } = new URL(url);
    const status = async (host: string) => (await get(url, `Host: ${host}\r\n`)).status;
    for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
      expect(await status(`${name}:${port}`), name).toBe(200);
      expect(await status(name), name).toBe(200);
    }
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `evillocalhost:${port}`,
      `localhost:${Number(port) + 1}`,
      "localhost:80",
      `localhost:${port}.evil.example`,
      `0.0.0.0:${port}`,
      `[::]:${port}`,
      `localhost.:${port}`,
      `user@localhost:${port}`,
    ]) {
      expect(await status(host), host).toBeGreaterThanOrEqual(400);
      expect(await status(host), host).toBeLessThan(404);
    }
    const problem = await get(url, "Host: evil.example\r\n");
    expect([problem.status, JSON.parse(problem.body).code]).toEqual([403, "HOST_NOT_ALLOWED"]);
  });

  it("must not be missing, doubled or unreadable", async () => {
    const { url } = await boot();
    const { port } = new URL(url);
    const old = await sendRaw(url, "GET /v1/sessions HTTP/1.0\r\n\r\n");
    expect([old.status, JSON.parse(old.body).code]).toEqual([403, "HOST_NOT_ALLOWED"]);
    expect((await get(url, "")).status).toBe(400);
    expect((await get(url, `Host: localhost:${port}\r\nHost: evil.example\r\n`)).status).toBeGreaterThanOrEqual(400);
    const odd = await get(url, "Host: a b\r\n");
    expect([odd.status, JSON.parse(odd.body).code]).toEqual([400, "VALIDATION"]);
    const absolute = await get(url, "Host: evil.example\r\n", `http://localhost:${port}/v1/sessions`);
    expect(absolute.status).toBe(403);
  });

  it("is what the operator allows, where he says so", async () => {
    const { url } = await boot({ allowedHosts: ["Agents.Example:8443"] });
    expect((await get(url, "Host: agents.example:8443\r\n")).status).toBe(200);
    expect((await get(url, "Host: agents.example\r\n")).status).toBe(403);
    expect((await get(url, `Host: ${new URL(url).host}\r\n`)).status).toBe(403);
    const origin = "Host: agents.example:8443\r\nOrigin: https://agents.example:8443\r\n";
    expect((await get(url, origin)).status).toBe(200);
  });
});

describe("the Origin header", () => {
  it("must be the listener's own", async () => {
    const rig = await boot();
    const { port } = new URL(rig.url);
    const send = async (origin: string) =>
      (await rig.request("POST", "/v1/sessions", { engine: "mock" }, { origin })).body.code;
    expect(await send(`http://localhost:${port}`)).toBe("VALIDATION");
    expect(await send(rig.url)).toBe("VALIDATION");
    for (const origin of [
      "null",
      "http://evil.example",
      "http://localhost",
      `https://localhost:${port}`,
      `http://localhost:${port}.evil.example`,
      `http://localhost.evil.example:${port}`,
      "file://",
    ]) {
      expect(await send(origin), origin).toBe("ORIGIN_NOT_ALLOWED");
    }
    expect((await rig.request("GET", "/v1/sessions", undefined, { "sec-fetch-site": "cross-site" })).body.code).toBe(
      "ORIGIN_NOT_ALLOWED",
    );
  });

  it("opens nothing: there are no CORS headers, and OPTIONS is no method here", async () => {
    const rig = await boot();
    const preflight = await rig.request("OPTIONS", "/v1/sessions", undefined, {
      origin: rig.url,
      "access-control-request-method": "POST",
    });
    expect([preflight.status, preflight.headers.get("allow")]).toEqual([405, "POST, GET"]);
    expect((await rig.request("OPTIONS", "/v1/nothing")).status).toBe(404);
    expect((await rig.request("HEAD", "/v1/sessions")).status).toBe(200);
  });
});

describe("listening", () => {
  it("is refused beyond loopback where nobody is asked who he is", async () => {
    const rig = await boot();
    for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
      await expect(rig.server.listen({ host, port: 0 })).rejects.toThrow(/authentication/);
    }
  });

  it("rejects with the system's error", async () => {
    const rig = await boot();
    const port = Number(new URL(rig.url).port);
    await expect(rig.server.listen({ host: "127.0.0.1", port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it("works on all interfaces by its loopback names, and on a socket as localhost", async () => {
    const rig = await boot({ auth: { authenticate: async () => ({ id: "any", scopes: ["read"] }) } });
    const all = await rig.server.listen({ host: "0.0.0.0", port: 0 });
    const url = `http://127.0.0.1:${all.port}`;
    expect((await get(url, `Host: localhost:${all.port}\r\n`)).status).toBe(200);
    const path = `${rig.dir}/host.sock`;
    const socket = await rig.server.listen({ socketPath: path });
    expect([socket.url, socket.port]).toEqual([`unix:${path}`, undefined]);
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) => {
      const headers = { host: "localhost" };
      request({ socketPath: path, path: "/v1/sessions", headers }, (res) => resolve(res.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
    expect((await rig.request("GET", "/v1/sessions", undefined, { origin: "http://localhost" })).status).toBe(403);
  });

  it("serves in process only by an allowed name", async () => {
    const rig = await boot();
    const ask = (server: typeof rig.server) => server.fetch(new Request("http://in-process.test/v1/sessions"));
    expect((await ask(rig.server)).status).toBe(403);
    const open = await createHarnessServer({
      engines: [{ ...(await import("@computeragent/testing")).createMockEngine() }],
      identityLoaders: [],
      dataDir: `${rig.dir}/other`,
      auth: null,
      allowedHosts: "any",
    });
    expect((await ask(open)).status).toBe(200);
    await open.close();
  });
});
