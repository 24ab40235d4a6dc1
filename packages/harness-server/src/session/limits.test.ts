import type { CreateSessionBody, EngineContext, Limits } from "@computeragent/protocol";
import { createMockEngine, jsonOf, type OpenStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { fakeModels } from "../fake-models.test-support.ts";
import { boot, type RigConfig } from "../rig.test-support.ts";

async function start(body: Partial<CreateSessionBody>, config: RigConfig = {}) {
  const rig = await boot(config);
  const { sessionId } = await rig.create({ permissionMode: "auto", ...body });
  return { rig, sessionId, stream: await rig.events(sessionId) };
}

const all = (stream: OpenStream, event: string) =>
  stream
    .events()
    .filter((e) => e.event === event)
    .map(jsonOf);

describe("limits", () => {
  it("are the smallest of caller, manifest and operator, and reach the engine", async () => {
    const contexts: EngineContext[] = [];
    const engine = createMockEngine({ onStart: (context) => contexts.push(context) });
    const rig = await boot({ engine, sessionLimits: { maxBudgetUsd: 5, maxWallMs: 60_000 } });
    const governance = { limits: { maxTurns: 7, maxTokens: 100, maxBudgetUsd: 9 } };
    const { sessionId } = await rig.create({
      identity: { loader: "mock", source: { type: "inline", manifest: { governance } } },
      limits: { maxTurns: 10, maxTokens: 200, maxBudgetUsd: 6 },
      options: { maxTurns: 8, maxBudgetUsd: 7 },
    });
    expect((await rig.info(sessionId)).limits).toEqual({
      maxTurns: 7,
      maxTokens: 100,
      maxBudgetUsd: 5,
      maxWallMs: 60_000,
    } satisfies Limits);
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say x");
    await stream.waitFor("ca_turn_ended");
    expect(contexts[0]?.maxTurns).toBe(7);
  });

  it("refuse aliases that say two things", async () => {
    const rig = await boot();
    const body = { engine: "mock", workspace: { type: "local", path: rig.workspace } };
    const both = { permissionMode: "auto", options: { permissionMode: "ask" } };
    const answer = await rig.request("POST", "/v1/sessions", { ...body, ...both });
    expect([answer.status, answer.body.errors]).toMatchObject([400, [{ pointer: "/options/permissionMode" }]]);
    const same = { permissionMode: "auto", options: { permissionMode: "auto", model: "m-1", includePartials: true } };
    const { sessionId } = (await rig.request("POST", "/v1/sessions", { ...body, ...same })).body;
    expect(await rig.info(sessionId)).toMatchObject({ permissionMode: "auto", model: "m-1" });
  });

  it("of steps end the turn, not the session", async () => {
    const { rig, sessionId, stream } = await start({ limits: { maxTurns: 2 } });
    await rig.say(sessionId, "!bash true\n!bash true\n!bash touch third");
    expect(jsonOf(await stream.waitFor("ca_turn_ended")).reason).toBe("max_turns");
    expect((await rig.info(sessionId)).status).toBe("idle");
  });

  it.each([
    ["maxTokens", { maxTokens: 100 }],
    ["maxBudgetUsd", { maxBudgetUsd: 0.5 }],
  ] as const)("of %s end the session after the turn that used it up", async (limit, limits) => {
    const engine = createMockEngine({ price: ({ output_tokens }) => output_tokens / 100 });
    const { rig, sessionId, stream } = await start({ limits }, { engine });
    await rig.say(sessionId, "!usage 10 20");
    await rig.say(sessionId, "!usage 30 40");
    await rig.say(sessionId, "!usage 1 1");
    await stream.ended;
    expect(all(stream, "ca_turn_ended").map(({ reason }) => reason)).toEqual(["complete", "complete"]);
    expect(all(stream, "ca_session_ended")).toMatchObject([{ reason: "budget_exceeded" }]);
    expect(all(stream, "ca_notice")).toMatchObject([{ code: `limit.${limit}` }]);
  });

  it("of the broker end the session in the middle of a turn", async () => {
    const models = fakeModels();
    const { rig, sessionId, stream } = await start(
      { limits: { maxTokens: 5 } },
      { models, engine: { ...createMockEngine(), needsModel: true } },
    );
    expect(models.opened[0]?.limits).toEqual({ maxTokens: 5 });
    await rig.say(sessionId, "!usage 1000 1000\n!sleep 60000");
    await stream.waitFor("sdk_message");
    models.opened[0]?.onExhausted("maxTokens", "5 tokens are used up");
    await stream.ended;
    expect(all(stream, "ca_turn_ended")).toMatchObject([{ reason: "interrupted" }]);
    expect(all(stream, "ca_session_ended")).toMatchObject([{ reason: "budget_exceeded" }]);
    expect(all(stream, "ca_notice")).toMatchObject([{ code: "limit.maxTokens", message: "5 tokens are used up" }]);
    await expect.poll(() => models.opened[0]?.closed, { timeout: 20_000 }).toBe(true);
  });

  it("of time end the session while it runs, waiting for a human not counted", async () => {
    const { rig, sessionId, stream } = await start({ limits: { maxWallMs: 400 }, permissionMode: "ask_all" });
    await rig.say(sessionId, "!write a.txt x\n!sleep 60000");
    const { callId } = jsonOf(await stream.waitFor("ca_permission_request"));
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect((await rig.info(sessionId)).status).toBe("waiting_permission");
    await rig.request("POST", `/v1/sessions/${sessionId}/permission/${callId}`, { decision: "allow" });
    await stream.ended;
    expect(all(stream, "ca_session_ended")).toMatchObject([{ reason: "budget_exceeded" }]);
    expect(all(stream, "ca_notice")).toMatchObject([{ code: "limit.maxWallMs" }]);
  });

  it("of time may be as long as thirty days", async () => {
    const { rig, sessionId, stream } = await start({ limits: { maxWallMs: 30 * 24 * 3_600_000 } });
    await rig.say(sessionId, "!sleep 100");
    expect(jsonOf(await stream.waitFor("ca_turn_ended")).reason).toBe("complete");
    expect((await rig.info(sessionId)).status).toBe("idle");
  });
});

describe("usage", () => {
  it("is told for the turn and the session, and adds up", async () => {
    const engine = createMockEngine({ price: (usage) => (usage.input_tokens + usage.output_tokens) / 1000 });
    const { rig, sessionId, stream } = await start({}, { engine });
    await rig.say(sessionId, "!usage 10 20");
    await rig.say(sessionId, "!usage 1 2");
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;
    const scopes = all(stream, "ca_usage_snapshot").map((u) => [u.scope, u.input_tokens, u.output_tokens, u.cost_usd]);
    expect(scopes).toEqual([
      ["turn", 10, 20, 0.03],
      ["session", 10, 20, 0.03],
      ["turn", 1, 2, 0.003],
      ["session", 11, 22, expect.closeTo(0.033, 9)],
    ]);
    expect(all(stream, "ca_turn_ended").map((e) => e.usage)).toMatchObject([
      { input_tokens: 10, cost_usd: 0.03 },
      { input_tokens: 1, cost_usd: 0.003 },
    ]);
    expect((await rig.info(sessionId)).usage).toMatchObject({ input_tokens: 11, output_tokens: 22 });
  });

  it("is the broker's where there is one, calls of all agents together", async () => {
    const models = fakeModels();
    const engine = { ...createMockEngine(), needsModel: true };
    const { rig, sessionId, stream } = await start({}, { models, engine });
    await rig.say(sessionId, "!usage 1 1\n!sleep 300");
    await stream.waitFor("sdk_message");
    const usage = {
      input_tokens: 100,
      cache_read_input_tokens: 10,
      cache_creation_input_tokens: 5,
      output_tokens: 50,
      cost_usd: 0.1,
    };
    models.opened[0]?.onUsage({ model: "fake-1", usage, billing: "metered" });
    models.opened[0]?.onUsage({ model: "fake-1", usage, billing: "metered", agentId: "sub" });
    await stream.waitFor("ca_turn_ended");
    expect(all(stream, "ca_usage_snapshot")[0]).toMatchObject({
      input_tokens: 200,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 10,
      output_tokens: 100,
      cost_usd: 0.2,
      billing: "metered",
    });
    expect(all(stream, "ca_session_started")).toMatchObject([{ route: "fake" }]);
  });
});
