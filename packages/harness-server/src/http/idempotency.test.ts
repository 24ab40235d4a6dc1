import { createMockLoader } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../rig.test-support.ts";

const key = (value: string) => ({ "idempotency-key": value });
const local = (rig: Rig, more: object = {}) => ({
  engine: "mock",
  workspace: { type: "local", path: rig.workspace },
  ...more,
});
const message = (content: string) => ({ message: { role: "user", content } });

describe("an idempotency key", () => {
  it("makes a repeated create the same create", async () => {
    const rig = await boot();
    const first = await rig.request("POST", "/v1/sessions", local(rig), key("a"));
    const again = await rig.request("POST", "/v1/sessions", local(rig), key("a"));
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await rig.request("POST", "/v1/sessions", local(rig, { access: "full" }), key("a"));
    expect([other.status, other.body.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect((await rig.request("POST", "/v1/sessions", local(rig), key("b"))).body.sessionId).not.toBe(
      first.body.sessionId,
    );
    expect((await rig.request("GET", "/v1/sessions")).body.sessions).toHaveLength(2);
    await rig.request("DELETE", `/v1/sessions/${first.body.sessionId}`);
    expect((await rig.request("POST", "/v1/sessions", local(rig), key("a"))).body).toEqual(first.body);
  });

  it("counts for one path alone: a message, a fork", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const path = `/v1/sessions/${sessionId}`;
    const sent = [];
    for (let i = 0; i < 3; i++) sent.push(await rig.request("POST", `${path}/messages`, message("!say x"), key("k")));
    expect(new Set(sent.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(sent.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect((await rig.request("POST", `${path}/messages`, message("!say y"), key("k"))).body.code).toBe(
      "IDEMPOTENCY_CONFLICT",
    );
    await expect.poll(async () => (await rig.info(sessionId)).status, { timeout: 20_000 }).toBe("idle");
    expect((await rig.info(sessionId)).turns).toBe(1);
    const forks = [
      await rig.request("POST", `${path}/fork`, undefined, key("k")),
      await rig.request("POST", `${path}/fork`, undefined, key("k")),
    ];
    expect(forks[0]?.body).toEqual(forks[1]?.body);
    expect((await rig.request("GET", "/v1/sessions")).body.sessions).toHaveLength(2);
  });

  it("is busy while the first request runs, and free again when that failed", async () => {
    const gate = Promise.withResolvers<void>();
    const loader = createMockLoader();
    let loads = 0;
    const rig = await boot({
      identityLoaders: [
        {
          ...loader,
          load: async (request) => {
            if (loads++ === 0) {
              await gate.promise;
              throw new Error("no luck");
            }
            return loader.load(request);
          },
        },
      ],
    });
    const body = { engine: "mock", identity: { loader: "mock", source: { type: "inline", manifest: {} } } };
    const first = rig.request("POST", "/v1/sessions", body, key("k"));
    await expect.poll(() => loads, { timeout: 20_000 }).toBe(1);
    const meanwhile = await rig.request("POST", "/v1/sessions", body, key("k"));
    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    gate.resolve();
    expect((await first).body.code).toBe("INTERNAL");
    expect((await first).body.detail).not.toContain("no luck");
    expect((await rig.request("POST", "/v1/sessions", body, key("k"))).status).toBe(201);
  });

  it("has a sensible length", async () => {
    const rig = await boot();
    expect((await rig.request("POST", "/v1/sessions", local(rig), key("x".repeat(257)))).body.code).toBe("VALIDATION");
    expect((await rig.request("POST", "/v1/sessions", local(rig), key(""))).body.code).toBe("VALIDATION");
  });
});
