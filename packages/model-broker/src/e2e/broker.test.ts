import { request } from "node:http";
import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { createModelBroker } from "../create-model-broker.ts";
import { createOfflineServer } from "../offline/server.ts";
import { openSession } from "./session.test-support.ts";
import { endpoint, message } from "./upstream.test-support.ts";

const BODY = JSON.stringify({ model: "m", messages: [{ role: "user", content: "!say hi" }] });
const post = (url: string, headers: Record<string, string>, body = BODY) =>
  fetch(`${url}/v1/messages`, { method: "POST", headers, body });

/** A request with headers that `fetch` does not let one set. */
const bare = (port: number, headers: Record<string, string>, path = "/v1/models", method = "GET") =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers }, async (response) => {
      let body = "";
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode, body });
    });
    sent.on("error", reject);
    sent.end();
  });

describe("the model broker", () => {
  it("answers a session's token, in either header, and nobody else", async () => {
    await using session = await openSession();
    const { baseUrl, token } = session.grant;
    expect(baseUrl).toBe(`http://127.0.0.1:${session.broker.port}`);
    expect((await post(baseUrl, { "x-api-key": token })).status).toBe(200);
    expect((await post(baseUrl, { authorization: `Bearer ${token}` })).status).toBe(200);
    expect((await post(baseUrl, { authorization: "Bearer other", "x-api-key": token })).status).toBe(200);
    const wrong: Record<string, string>[] = [
      {},
      { "x-api-key": `${token}x` },
      { authorization: token },
      { "x-api-key": "" },
    ];
    for (const headers of wrong) {
      const answer = await post(baseUrl, headers);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ type: "error", error: { type: "authentication_error" } });
    }
    expect((await fetch(baseUrl, { method: "HEAD" })).status).toBe(401);
    expect((await fetch(baseUrl, { method: "HEAD", headers: { "x-api-key": token } })).status).toBe(200);
  });

  it("answers its own Host names only, and lets no browser page read it", async () => {
    await using session = await openSession();
    const { port } = session.broker;
    const key = { "x-api-key": session.grant.token };
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      expect((await bare(port, { ...key, host })).status).toBe(200);
    }
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`]) {
      expect((await bare(port, { ...key, host })).status).toBe(403);
    }
    const preflight = await fetch(`${session.grant.baseUrl}/v1/messages`, {
      method: "OPTIONS",
      headers: { origin: "http://evil" },
    });
    expect(preflight.status).toBe(401);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });

  it("keeps to the paths of the API", async () => {
    await using real = await endpoint((response) => response.end("{}"));
    await using session = await openSession({}, { routes: [real.route] });
    const { port } = session.broker;
    const headers = { "x-api-key": session.grant.token, host: `127.0.0.1:${port}` };
    for (const path of [
      "/",
      "/admin",
      "/v1/../admin",
      "/v1/%2e%2e/admin",
      "//evil.example/v1/x",
      "http://evil.example/v1/x",
    ]) {
      expect((await bare(port, headers, path)).status, path).toBe(404);
    }
    expect(real.seen).toEqual([]);
    expect((await bare(port, headers, "/v1/models?a=b")).status).toBe(200);
    expect(real.seen[0]?.url).toBe("/api/v1/models?a=b");
  });

  it("refuses a body without end", async () => {
    await using session = await openSession();
    const huge = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(8 * 1024 * 1024)),
    });
    const init = {
      method: "POST",
      headers: { "x-api-key": session.grant.token },
      body: huge,
      duplex: "half",
    } as RequestInit;
    const answer = await fetch(`${session.grant.baseUrl}/v1/messages`, init).then(
      (response) => response.status,
      () => "cut",
    );
    expect([413, "cut"]).toContain(answer);
    expect((await post(session.grant.baseUrl, { "x-api-key": session.grant.token })).status).toBe(200);
  });

  it("has its routes, and one that is the default", async () => {
    const real = { id: "real", protocol: "anthropic", credential: { header: "x-api-key", value: "k" } } as const;
    const offline = { id: "offline", protocol: "offline" } as const;
    await using broker = await createModelBroker({ routes: [offline, real] });
    expect([broker.defaultRoute, broker.routes().map((route) => route.id)]).toEqual(["real", ["offline", "real"]]);
    await using other = await createModelBroker({ routes: [real, offline], defaultRoute: "offline" });
    expect(other.defaultRoute).toBe("offline");
    await expect(createModelBroker({ routes: [offline, offline] })).rejects.toThrow("must differ");
    await expect(createModelBroker({ routes: [offline], defaultRoute: "x" })).rejects.toThrow('no model route "x"');
    await expect(createModelBroker({ routes: [] })).rejects.toThrow("no model route");
    await expect(createModelBroker({ routes: [{ ...real, baseUrl: "http://far.example" }] })).rejects.toThrow("https:");
    await expect(createModelBroker({ routes: [offline], port: broker.port })).rejects.toThrow("EADDRINUSE");
  });

  it("sends a session with its own key over a private route, and says which variables it took", async () => {
    await using real = await endpoint((response) => response.end(message({ input_tokens: 1, output_tokens: 1 })));
    const credentials = { ANTHROPIC_API_KEY: "sk-own", ANTHROPIC_BASE_URL: real.route.baseUrl ?? "", OTHER: "x" };
    await using session = await openSession({ credentials });
    expect(session.grant.route).toEqual({ id: "private", protocol: "anthropic", models: [], offline: false });
    expect(session.grant.consumedEnvs).toEqual(["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]);
    expect((await post(session.grant.baseUrl, { "x-api-key": session.grant.token })).status).toBe(200);
    expect(real.seen[0]?.headers["x-api-key"]).toBe("sk-own");
    expect(session.calls[0]?.billing).toBe("metered");
  });

  it("refuses routes that are not there and credentials that lead astray; a named route comes before a key", async () => {
    await using session = await openSession();
    const { broker } = session;
    const base = { sessionId: "s", limits: {}, onUsage: () => {}, onExhausted: () => {} };
    const notices: string[] = [];
    const onNotice = (code: string): void => void notices.push(code);
    const code = (error: unknown) => (WireError.isInstance(error) ? error.code : error);
    expect(await broker.open({ ...base, onNotice, route: "x" }).catch(code)).toBe("UNKNOWN_ROUTE");
    const itself = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: broker.url };
    expect(await broker.open({ ...base, onNotice, credentials: itself }).catch(code)).toBe("VALIDATION");
    const named = await broker.open({ ...base, onNotice, route: "offline", credentials: { ANTHROPIC_API_KEY: "k" } });
    expect([named.route.id, named.consumedEnvs, notices]).toEqual([
      "offline",
      ["ANTHROPIC_API_KEY"],
      ["credentials_unused"],
    ]);
  });
});

describe("the offline server", () => {
  it("answers everybody on this machine, or those who have its token", async () => {
    await using open = await createOfflineServer();
    expect((await post(open.url, {})).status).toBe(200);
    expect((await bare(open.port, { host: "evil.example" })).status).toBe(403);
    await using closed = await createOfflineServer({ token: "secret" });
    expect((await post(closed.url, { "x-api-key": "secret" })).status).toBe(200);
    expect((await post(closed.url, { "x-api-key": "other" })).status).toBe(401);
    expect((await post(closed.url, {})).status).toBe(401);
  });
});
