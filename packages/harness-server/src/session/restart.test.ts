import type { EngineDriver, EngineSession } from "@computeragent/protocol";
import { createMockEngine, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

/** The mock engine, with its running sessions at hand. */
function watchedEngine(capabilities?: EngineDriver["capabilities"]) {
  const sessions: EngineSession[] = [];
  const mock = createMockEngine();
  const engine: EngineDriver = {
    ...mock,
    ...(capabilities ? { capabilities } : {}),
    startSession: (context) => {
      const session = mock.startSession(context as Parameters<typeof mock.startSession>[0]);
      sessions.push(session);
      return session;
    },
  };
  return { engine, sessions };
}

describe("an engine that dies", () => {
  it("between turns is started again with exactly one copy of the history", async () => {
    const { engine, sessions } = watchedEngine();
    const rig = await boot({ engine });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    for (const [turn, content] of ["!say one", "!say two", "!say three"].entries()) {
      const from = stream.frames.length;
      await rig.say(sessionId, content);
      const init = await stream.waitFor((frame) => frame.data.includes('"subtype":"init"'), from);
      expect(jsonOf(init).history_messages).toBe(turn);
      await stream.waitFor("ca_turn_ended", from);
      await sessions.at(-1)?.kill();
      const notice = jsonOf(await stream.waitFor("ca_notice", from));
      expect(notice).toMatchObject({ level: "warning", code: "engine.ended" });
    }
    expect(sessions).toHaveLength(3);
    expect((await rig.info(sessionId)).status).toBe("idle");
  });

  it("in mid-turn fails that turn alone, and queued messages follow", async () => {
    const { engine, sessions } = watchedEngine();
    const rig = await boot({ engine });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say one");
    await rig.say(sessionId, "!sleep 60000");
    await rig.say(sessionId, "!say three");
    await stream.waitFor((frame) => frame.data.includes('"history_messages":1'));
    await sessions.at(-1)?.kill();
    await stream.waitFor((frame) => frame.data.includes('"text":"three"'));
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;
    const ends = stream.events().filter(({ event }) => event === "ca_turn_ended");
    expect(ends.map((frame) => jsonOf(frame).reason)).toEqual(["complete", "error", "complete"]);
    expect(ends.map((frame) => jsonOf(frame).error)[1]).toMatchObject({ class: "transient" });
  });

  it("and cannot resume ends the session, and no queued message starts it without its memory", async () => {
    const all = createMockEngine().capabilities;
    const { engine, sessions } = watchedEngine(all.filter((name) => name !== "sessions"));
    const rig = await boot({ engine });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say one");
    await rig.say(sessionId, "!sleep 60000");
    await rig.say(sessionId, "!say three");
    await stream.waitFor((frame) => frame.data.includes('"history_messages":1'));
    await sessions.at(-1)?.kill();
    await stream.ended;
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({
      reason: "error",
      error: { code: "ENGINE_UNAVAILABLE" },
    });
    expect(sessions).toHaveLength(1);
  });

  it("has wholly gone before the next one starts", async () => {
    const order: string[] = [];
    const mock = createMockEngine();
    const engine: EngineDriver = {
      ...mock,
      startSession: (context) => {
        order.push("start");
        const session = mock.startSession(context as Parameters<typeof mock.startSession>[0]);
        return {
          [Symbol.asyncIterator]: () => session[Symbol.asyncIterator](),
          interrupt: () => session.interrupt(),
          kill: () => session.kill(),
          close: async () => {
            await new Promise((resolve) => setTimeout(resolve, 200));
            await session.close();
            order.push("closed");
          },
        };
      },
    };
    const rig = await boot({ engine });
    const { sessionId } = await rig.create({ options: { misbehave: "late_events" } });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say one");
    await stream.waitFor("ca_turn_ended");
    await rig.request("POST", `/v1/sessions/${sessionId}/cancel`);
    expect(order).toEqual(["start", "closed"]);
  });
});
