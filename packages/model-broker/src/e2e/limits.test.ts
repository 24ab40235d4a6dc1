import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type OpenSession, openSession } from "./session.test-support.ts";
import { endpoint, message } from "./upstream.test-support.ts";

const call = ({ grant }: OpenSession, extra: object = {}, path = "/v1/messages") =>
  fetch(grant.baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": grant.token },
    body: JSON.stringify({
      model: "claude-opus-5-5",
      max_tokens: 100,
      messages: [{ role: "user", content: "!usage 600 100\n!say x" }],
      ...extra,
    }),
  });

describe("limits", () => {
  it("refuses calls once the tokens are used up, and says so once", async () => {
    await using session = await openSession({ limits: { maxTokens: 1000 } });
    expect((await call(session)).status).toBe(200);
    expect(session.exhausted).toEqual([]);
    expect((await call(session)).status).toBe(200);
    await expect.poll(() => session.exhausted).toEqual(["maxTokens"]);
    for (const path of ["/v1/messages", "/v1/messages", "/v1/messages/count_tokens"]) {
      const refused = await call(session, {}, path);
      expect(refused.status).toBe(403);
      const { error } = (await refused.json()) as { error: { type: string; message: string } };
      expect(error.type).toBe("permission_error");
      expect(error.message).toContain("maxTokens (1000) is used up: 1400 tokens");
    }
    expect(session.exhausted).toEqual(["maxTokens"]);
    expect(session.calls).toHaveLength(2);
  });

  it("counts all four counters of the whole session tree", async () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 500, cache_creation_input_tokens: 500 };
    await using real = await endpoint((response) => response.end(message(usage)));
    await using session = await openSession({ limits: { maxTokens: 1002 } }, { routes: [real.route] });
    expect((await call(session)).status).toBe(200);
    expect((await call(session)).status).toBe(403);
  });

  it("lets at most one of many parallel calls overshoot", async () => {
    let running = 0;
    let most = 0;
    await using real = await endpoint(async (response) => {
      running++;
      most = Math.max(most, running);
      await wait(30);
      running--;
      response.end(message({ input_tokens: 300, output_tokens: 100 }));
    });
    await using session = await openSession({ limits: { maxTokens: 2000 } }, { routes: [real.route] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(session, { max_tokens: 400 })));
    const served = answers.filter((answer) => answer.status === 200).length;
    expect(served).toBe(5);
    expect(most).toBeGreaterThan(1);
    expect(real.seen).toHaveLength(5);
  });

  it("lets calls run side by side without limits", async () => {
    const all = Promise.withResolvers<void>();
    let running = 0;
    await using real = await endpoint(async (response) => {
      if (++running === 5) all.resolve();
      await all.promise;
      response.end(message({ input_tokens: 1, output_tokens: 1 }));
    });
    await using session = await openSession({}, { routes: [real.route] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(session)));
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
  });

  it("holds to a sum of money by list price or by the route's own", async () => {
    await using real = await endpoint((response) => response.end(message({ input_tokens: 1000, output_tokens: 1000 })));
    await using session = await openSession({ limits: { maxBudgetUsd: 0.024 } }, { routes: [real.route] });
    expect((await call(session)).status).toBe(200);
    expect(session.calls[0]?.usage.cost_usd).toBeCloseTo(0.024, 10);
    expect((await call(session)).status).toBe(403);
    await expect.poll(() => session.exhausted).toEqual(["maxBudgetUsd"]);
    expect(session.notices).toEqual([]);
    const prices = { "*": { input: 1, output: 1, cacheRead: 0, cacheWrite: 1 } };
    await using cheap = await openSession({ limits: { maxBudgetUsd: 0.024 } }, { routes: [{ ...real.route, prices }] });
    expect((await call(cheap)).status).toBe(200);
    expect((await call(cheap)).status).toBe(200);
    expect(cheap.calls[0]?.usage.cost_usd).toBeCloseTo(0.002, 10);
  });

  it("turns a sum of money into tokens where there is no price, and says so", async () => {
    await using real = await endpoint((response) =>
      response.end(message({ input_tokens: 500, output_tokens: 500 }, "new-model")),
    );
    await using session = await openSession({ limits: { maxBudgetUsd: 0.1 } }, { routes: [real.route] });
    const unknown = { model: "new-model" };
    expect((await call(session, unknown)).status).toBe(200);
    expect(session.calls[0]?.usage.cost_usd).toBeUndefined();
    expect((await call(session, unknown)).status).toBe(200);
    expect((await call(session, unknown)).status).toBe(403);
    expect(session.notices).toEqual(["budget_counts_tokens"]);
  });

  it("does not charge a subscription in dollars", async () => {
    await using real = await endpoint((response) => response.end(message({ input_tokens: 1, output_tokens: 1 })));
    const credential = { header: "authorization", value: "Bearer sk-ant-oat01-x" } as const;
    await using session = await openSession(
      { limits: { maxBudgetUsd: 1 } },
      { routes: [{ ...real.route, credential }] },
    );
    expect((await call(session)).status).toBe(200);
    expect(session.calls[0]).toMatchObject({ billing: "subscription" });
    expect(session.calls[0]?.usage.cost_usd).toBeUndefined();
    expect(session.notices).toEqual(["budget_counts_tokens"]);
  });

  it("charges nothing for offline calls, unless a price is simulated", async () => {
    await using session = await openSession({ limits: { maxBudgetUsd: 0.000001 } });
    for (let count = 0; count < 3; count++) expect((await call(session)).status).toBe(200);
    expect(session.calls[0]).toMatchObject({ billing: "offline", usage: { cost_usd: 0 } });
    const simulatePrice = { "*": { input: 10, output: 20, cacheRead: 1, cacheWrite: 12 } };
    await using priced = await openSession({ limits: { maxBudgetUsd: 0.008 } }, { offline: { simulatePrice } });
    expect((await call(priced)).status).toBe(200);
    expect(priced.calls[0]).toMatchObject({ billing: "offline", usage: { cost_usd: 0.008 } });
    expect((await call(priced)).status).toBe(403);
  });

  it("refuses endpoints that cannot be metered while there is a limit", async () => {
    await using real = await endpoint((response) => response.end("{}"));
    await using limited = await openSession({ limits: { maxTokens: 10 } }, { routes: [real.route] });
    expect((await call(limited, {}, "/v1/messages/batches")).status).toBe(403);
    await using free = await openSession({}, { routes: [real.route] });
    expect((await call(free, {}, "/v1/messages/batches")).status).toBe(200);
    expect(real.seen).toHaveLength(1);
  });
});
