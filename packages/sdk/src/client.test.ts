import { ROUTES } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { HarnessClientError } from "./errors.ts";
import { PATHS } from "./paths.ts";
import { stubHost } from "./stub-host.test-support.ts";

const json = (value: unknown) => (_asked: unknown, response: import("node:http").ServerResponse) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
};

describe("createClient", () => {
  it("knows every route of the protocol by its method and path", () => {
    const table = Object.fromEntries(Object.entries(ROUTES).map(([name, r]) => [name, [r.method, r.path]]));
    expect(PATHS).toEqual(table);
  });

  it("fills in the path, the query, the body and the token", async () => {
    const host = await stubHost(json({ entries: [], nextCursor: null }));
    const client = createClient({ baseUrl: `${host.url}/`, token: "secret" });
    await client.call("fsTree", { sessionId: "a/b", query: { path: "x y", depth: 2, cursor: undefined } });
    await client.call("createSession", { body: { engine: "mock" }, headers: { "idempotency-key": "k" } });
    await client.call("fsWrite", { sessionId: "s", query: { path: "f" }, body: "bytes" });
    const seen = host.asked.map((a) => [a.method, a.url, a.headers["content-type"], a.body]);
    expect(seen).toEqual([
      ["GET", "/v1/sessions/a%2Fb/fs/tree?path=x+y&depth=2", undefined, ""],
      ["POST", "/v1/sessions", "application/json", '{"engine":"mock"}'],
      ["PUT", "/v1/sessions/s/fs/file?path=f", "application/octet-stream", "bytes"],
    ]);
    expect(host.asked[1]?.headers).toMatchObject({ authorization: "Bearer secret", "idempotency-key": "k" });
  });

  it("refuses a call without its session before anything is sent", async () => {
    const client = createClient({ baseUrl: "http://127.0.0.1:9" });
    await expect(client.call("getSession")).rejects.toThrow("needs sessionId");
  });

  it("turns a problem into an error with code, status and every field", async () => {
    const problem = { code: "VALIDATION", detail: "the body is not valid", status: 400, title: "t", type: "u" };
    const host = await stubHost((_asked, response) => {
      response.statusCode = 400;
      response.end(
        JSON.stringify({
          ...problem,
          errors: [
            { pointer: "/engine", message: "required" },
            { pointer: "", file: "agent.yaml", message: "bad" },
          ],
        }),
      );
    });
    const error: unknown = await createClient({ baseUrl: host.url })
      .call("health")
      .catch((e: unknown) => e);
    expect(HarnessClientError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: "VALIDATION",
      status: 400,
      isRetryable: false,
      message: "the body is not valid\n  /engine: required\n  agent.yaml: bad",
    });
  });

  it("tells an unreachable host, a foreign answer and an aborted call apart", async () => {
    const gone = createClient({ baseUrl: "http://127.0.0.1:9" }).call("health");
    await expect(gone).rejects.toMatchObject({ code: "UNREACHABLE", isRetryable: true });
    const teapot = await stubHost((_asked, response) => {
      response.statusCode = 418;
      response.end("<html>no harness here</html>");
    });
    await expect(createClient({ baseUrl: teapot.url }).call("health")).rejects.toMatchObject({
      code: "BAD_ANSWER",
      status: 418,
    });
    const odd = await stubHost((_asked, response) => response.end("not json"));
    await expect(createClient({ baseUrl: odd.url }).call("health")).rejects.toMatchObject({ code: "BAD_ANSWER" });
    const silent = await stubHost(() => {});
    const signal = AbortSignal.timeout(100);
    await expect(createClient({ baseUrl: silent.url }).call("health", { signal })).rejects.toMatchObject({
      name: "TimeoutError",
    });
    expect(HarnessClientError.isInstance(new Error("x"))).toBe(false);
  });
});
