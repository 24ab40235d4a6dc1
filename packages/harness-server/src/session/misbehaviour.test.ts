import type { EngineDriver, EngineEvent } from "@computeragent/protocol";
import { createMockEngine, jsonOf, MISBEHAVIOURS, type OpenStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

/** The last event is the end, there is one end, and every turn that began has ended before. */
async function expectOneEnd(stream: OpenStream, reason: string | string[]): Promise<void> {
  await stream.ended;
  const names = stream.events().map(({ event }) => event);
  expect(names.filter((name) => name === "ca_session_ended")).toHaveLength(1);
  expect(names.at(-1)).toBe("ca_session_ended");
  const count = (event: string) => names.filter((name) => name === event).length;
  expect(count("ca_turn_ended")).toBe(count("ca_turn_started"));
  expect([reason].flat()).toContain(jsonOf(await stream.waitFor("ca_session_ended")).reason);
}

describe.each(MISBEHAVIOURS)("an engine that does %s", (misbehave) => {
  it.each(["cancel", "delete", "shutdown"])("comes to one end by %s", async (how) => {
    const engine = createMockEngine({ closeDelayMs: 3000 });
    const rig = await boot({ engine, limits: { stopGraceMs: 300 } });
    const { sessionId } = await rig.create({ options: { misbehave }, permissionMode: "auto" });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!stream 100000 20 5");
    if (misbehave !== "never_start") await stream.waitFor(({ event }) => event !== "ca_turn_started", 2);
    const path = `/v1/sessions/${sessionId}`;
    if (how === "cancel") expect((await rig.request("POST", `${path}/cancel`)).status).toBe(200);
    else if (how === "delete") expect((await rig.request("DELETE", path)).status).toBe(200);
    else await rig.server.close();
    await expectOneEnd(stream, [{ cancel: "cancelled", delete: "deleted", shutdown: "shutdown" }[how] ?? "", "error"]);
    if (how !== "shutdown") {
      expect((await rig.info(sessionId)).status).toBe("ended");
      expect((await rig.request("DELETE", path)).status).toBe(200);
    }
  });
});

describe("an engine that breaks", () => {
  it.each([
    ["exit_early", "transient", "the engine ended without a result"],
    ["throw", "transient", "the mock engine broke on demand"],
    ["throw_raw", "permanent", "the mock engine broke on demand"],
  ] as const)(
    "by %s before it said anything ends the session with a typed error",
    async (misbehave, errorClass, message) => {
      const rig = await boot();
      const { sessionId } = await rig.create({ options: { misbehave } });
      const stream = await rig.events(sessionId);
      await rig.say(sessionId, "!say x");
      await rig.say(sessionId, "!say never").catch(() => {});
      await expectOneEnd(stream, "error");
      expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({
        reason: "error",
        error: { class: errorClass, message },
      });
      expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({
        reason: "error",
        error: { code: "ENGINE_UNAVAILABLE", class: errorClass, message },
      });
      expect(stream.events().filter(({ event }) => event === "ca_turn_started")).toHaveLength(1);
      expect((await rig.request("GET", "/v1/health")).body.sessions.live).toBe(0);
    },
  );

  it("before it can even be started ends the session", async () => {
    const engine: EngineDriver = {
      ...createMockEngine(),
      startSession: () => {
        throw new Error("no binary");
      },
    };
    const rig = await boot({ engine });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say x");
    await expectOneEnd(stream, "error");
  });

  it("by never starting ends the session after the start time", async () => {
    const rig = await boot({ limits: { engineStartMs: 200 } });
    const { sessionId } = await rig.create({ options: { misbehave: "never_start" } });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say x");
    await expectOneEnd(stream, "error");
    const error = jsonOf(await stream.waitFor("ca_turn_ended")).error;
    expect(error).toMatchObject({ class: "transient", code: "start_timeout" });
  });

  it("is not taken for dead while a human is asked before it said anything", async () => {
    const engine = scripted(async function* (authorize) {
      const answer = await authorize();
      yield { kind: "message", payload: { type: "assistant", answer: answer.behavior } };
    });
    const rig = await boot({ engine, limits: { engineStartMs: 200 } });
    const { sessionId } = await rig.create({ permissionMode: "ask_all" });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "go");
    await stream.waitFor("ca_permission_request");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await rig.info(sessionId)).status).toBe("waiting_permission");
    await rig.request("POST", `/v1/sessions/${sessionId}/permission/c1`, { decision: "allow" });
    await stream.waitFor((frame) => frame.data.includes('"answer":"allow"'));
  });
});

describe("output", () => {
  it("of any text and size comes through as it is", async () => {
    const rig = await boot();
    for (const misbehave of ["odd_text", "huge_message"] as const) {
      const { sessionId } = await rig.create({ options: { misbehave } });
      const stream = await rig.events(sessionId);
      await rig.say(sessionId, "!say x");
      await stream.waitFor("ca_turn_ended");
      const text = JSON.stringify(stream.events().map(jsonOf));
      expect(text.includes(misbehave === "odd_text" ? "\u2028" : "x".repeat(1_000_000))).toBe(true);
      if (misbehave === "odd_text") expect(text).toContain("\\u0000 lone \\ud800 end");
    }
  });

  it("that comes after a turn is no result of it", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({ options: { misbehave: "late_events" } });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say mine");
    await stream.waitFor((frame) => frame.data.includes('"late"'));
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await expectOneEnd(stream, "complete");
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({ final: { result: "mine" } });
  });

  it("that comes after the end is dropped", async () => {
    const gate = Promise.withResolvers<void>();
    let late = 0;
    const engine = scripted(async function* () {
      yield { kind: "message", payload: { type: "assistant", n: 1 } };
      await gate.promise;
      for (; late < 20; late++) yield { kind: "message", payload: { type: "assistant", late } };
    });
    const rig = await boot({ engine, limits: { stopGraceMs: 100 } });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "go");
    await stream.waitFor("sdk_message");
    await rig.request("POST", `/v1/sessions/${sessionId}/cancel`);
    const head = (await rig.info(sessionId)).headId;
    gate.resolve();
    await expect.poll(() => late, { timeout: 20_000 }).toBe(20);
    expect((await rig.info(sessionId)).headId).toBe(head);
    await expectOneEnd(stream, "cancelled");
  });
});

/** An engine that runs `script` once, ignores every wish, and ends when the script does. */
function scripted(
  script: (authorize: () => Promise<{ behavior: string }>) => AsyncGenerator<EngineEvent>,
): EngineDriver {
  const nothing = async (): Promise<void> => {};
  return {
    ...createMockEngine(),
    startSession: ({ authorize }) => ({
      [Symbol.asyncIterator]: () =>
        script(() => authorize({ callId: "c1", toolName: "Bash", input: { command: "x" } })),
      interrupt: nothing,
      close: nothing,
      kill: nothing,
    }),
  };
}
