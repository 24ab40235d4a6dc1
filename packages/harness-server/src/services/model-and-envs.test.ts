import type { EngineContext } from "@computeragent/protocol";
import { createMockEngine } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { fakeModels } from "../fake-models.test-support.ts";
import { boot } from "../rig.test-support.ts";

async function bootModelled() {
  const contexts: EngineContext[] = [];
  const models = fakeModels();
  const engine = { ...createMockEngine({ onStart: (context) => contexts.push(context) }), needsModel: true };
  return { rig: await boot({ models, engine }), models, contexts };
}

describe("a session's model", () => {
  it("is the host's route, by a token of its own", async () => {
    const { rig, models, contexts } = await bootModelled();
    const { sessionId } = await rig.create({ envs: { COLOUR: "blue" }, route: "fake", limits: { maxTokens: 9 } });
    expect(models.opened[0]).toMatchObject({ sessionId, route: "fake", limits: { maxTokens: 9 } });
    expect(models.opened[0]?.credentials).toBeUndefined();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say x");
    await stream.waitFor("ca_turn_ended");
    expect(contexts[0]?.model.access).toMatchObject({ route: { id: "fake" }, token: expect.stringMatching(/^broker/) });
    expect(contexts[0]?.envs).toEqual({ COLOUR: "blue" });
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    expect(models.opened[0]?.closed).toBe(true);
  });

  it("is a private route for a caller's own key, which the agent never sees", async () => {
    const { rig, models, contexts } = await bootModelled();
    const key = "sk-private-0123456789abcdef";
    const { sessionId } = await rig.create({ envs: { FAKE_API_KEY: key, COLOUR: "blue" } });
    expect(models.opened[0]?.credentials).toEqual({ FAKE_API_KEY: key });
    expect((await rig.info(sessionId)).route).toBe("private");
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say x");
    await stream.waitFor("ca_turn_ended");
    expect(JSON.stringify({ ...contexts[0], input: null })).not.toContain(key);
    expect(contexts[0]?.envs).toEqual({ COLOUR: "blue" });
  });

  it("tells what it cannot do, before and after the session began", async () => {
    const models = fakeModels();
    const { open } = models;
    models.open = async (request) => {
      request.onNotice("budget.tokens", "a cap of tokens stands in for the money");
      return open(request);
    };
    const rig = await boot({ models, engine: { ...createMockEngine(), needsModel: true } });
    const { sessionId } = await rig.create();
    models.opened[0]?.onNotice("route.slow", "the route answers slowly");
    const stream = await rig.events(sessionId);
    await stream.waitFor((frame) => frame.data.includes("route.slow"));
    expect(stream.events().map(({ event, data }) => [event, JSON.parse(data).code])).toEqual([
      ["ca_session_started", undefined],
      ["ca_notice", "budget.tokens"],
      ["ca_notice", "route.slow"],
    ]);
  });

  it("must be one that the host has", async () => {
    const { rig } = await bootModelled();
    const body = { engine: "mock", workspace: { type: "local", path: rig.workspace }, route: "https://evil.test" };
    const answer = await rig.request("POST", "/v1/sessions", body);
    expect([answer.status, answer.body.code]).toEqual([400, "UNKNOWN_ROUTE"]);
  });
});

describe("a caller's variables", () => {
  it("reach the agent, and the host's do not", async () => {
    const rig = await boot();
    process.env.HOST_ONLY_VALUE = "of the host";
    const { sessionId } = await rig.create({ envs: { COLOUR: "blue" }, permissionMode: "auto" });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!bash env");
    await stream.waitFor("ca_turn_ended");
    delete process.env.HOST_ONLY_VALUE;
    const text = stream
      .events()
      .map(({ data }) => data)
      .join("");
    expect(text).toContain("COLOUR=blue");
    expect(text).not.toContain("HOST_ONLY_VALUE");
  });

  it.each([
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "PATH",
    "HOME",
    "BASH_ENV",
    "GIT_SSH_COMMAND",
    "COMPUTERAGENT_OWNER",
    "CLAUDE_CONFIG_DIR",
  ])("may not be %s", async (name) => {
    const rig = await boot();
    const body = { engine: "mock", workspace: { type: "local", path: rig.workspace }, envs: { [name]: "x" } };
    const answer = await rig.request("POST", "/v1/sessions", body);
    expect([answer.body.code, answer.body.errors[0].pointer]).toEqual(["VALIDATION", `/envs/${name}`]);
  });

  it("may hold no NUL", async () => {
    const rig = await boot();
    const body = { engine: "mock", workspace: { type: "local", path: rig.workspace }, envs: { X: "a\0b" } };
    expect((await rig.request("POST", "/v1/sessions", body)).body.code).toBe("VALIDATION");
  });
});
