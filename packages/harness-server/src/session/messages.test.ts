import { createMockEngine, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../rig.test-support.ts";

const send = (rig: Rig, id: string, content: string, more: object = {}) =>
  rig.request("POST", `/v1/sessions/${id}/messages`, { message: { role: "user", content }, ...more });

describe("messages", () => {
  it("wait their turn, in order, and are counted", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    const answers = [await send(rig, sessionId, "!sleep 300\n!say 0")];
    for (let n = 1; n < 5; n++) answers.push(await send(rig, sessionId, `!say ${n}`));
    expect(answers.map(({ body }) => "turnId" in body)).toEqual([true, false, false, false, false]);
    expect((await rig.info(sessionId)).queued).toBe(4);
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;
    const started = stream.events().filter(({ event }) => event === "ca_turn_started");
    expect(started.map((e) => jsonOf(e).messageIds)).toEqual(answers.map(({ body }) => [body.messageId]));
    expect(await rig.info(sessionId)).toMatchObject({ turns: 5, queued: 0, ended: { reason: "complete" } });
  });

  it("are refused beyond the limit, after end-input, and after the end", async () => {
    const rig = await boot({ limits: { maxQueuedMessages: 2 } });
    const { sessionId } = await rig.create();
    await send(rig, sessionId, "!sleep 60000");
    await send(rig, sessionId, "!say 1");
    await send(rig, sessionId, "!say 2");
    const full = await send(rig, sessionId, "!say 3");
    expect([full.status, full.body.code]).toEqual([429, "LIMIT_REACHED"]);
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    for (const more of [{}, { delivery: "steer" }]) {
      const late = await send(rig, sessionId, "!say 4", more);
      expect([late.status, late.body.code]).toEqual([410, "SESSION_ENDED"]);
    }
    await rig.request("POST", `/v1/sessions/${sessionId}/cancel`);
    expect((await send(rig, sessionId, "!say 5")).body.code).toBe("SESSION_ENDED");
    expect((await rig.request("POST", `/v1/sessions/${sessionId}/interrupt`)).body.code).toBe("SESSION_ENDED");
    expect((await rig.request("POST", `/v1/sessions/${sessionId}/end-input`)).status).toBe(200);
  });

  it("given at the creation make one turn", async () => {
    const rig = await boot();
    const messages = ["!say a", "!say b"].map((content) => ({ role: "user" as const, content }));
    const { sessionId } = await rig.create({ messages });
    const stream = await rig.events(sessionId);
    const ended = jsonOf(await stream.waitFor("ca_turn_ended"));
    expect(ended).toMatchObject({ reason: "complete", messageIds: [expect.any(String), expect.any(String)] });
    expect(await rig.info(sessionId)).toMatchObject({ turns: 1, status: "idle" });
  });

  it("with a client's own id are taken once", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    const first = await send(rig, sessionId, "!say one", { clientMessageId: "c1" });
    const again = await send(rig, sessionId, "!say one", { clientMessageId: "c1" });
    expect([again.status, again.body.messageId]).toEqual([202, first.body.messageId]);
    await send(rig, sessionId, "!say two", { clientMessageId: "c2" });
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;
    expect((await rig.info(sessionId)).turns).toBe(2);
    expect((await send(rig, sessionId, "!say one", { clientMessageId: "c1" })).body).toEqual(again.body);
  });

  it("of other roles or without content are refused", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const path = `/v1/sessions/${sessionId}/messages`;
    for (const message of [
      { role: "assistant", content: "x" },
      { role: "user", content: "" },
      { role: "user", content: [] },
    ]) {
      expect((await rig.request("POST", path, { message })).body.code).toBe("VALIDATION");
    }
    expect((await rig.request("POST", path, {})).body.code).toBe("VALIDATION");
  });
});

describe("steering", () => {
  it("reaches the running turn, and queues when nothing runs", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    const first = await send(rig, sessionId, "!sleep 800\n!say first");
    const steered = await send(rig, sessionId, "!say steered", { delivery: "steer" });
    expect(steered.body.turnId).toBe(first.body.turnId);
    const end = jsonOf(await stream.waitFor("ca_turn_ended"));
    expect(end.messageIds).toEqual([first.body.messageId, steered.body.messageId]);
    expect(
      stream
        .events()
        .map(({ data }) => data)
        .join(""),
    ).toContain('"text":"steered"');
    const idle = await send(rig, sessionId, "!say alone", { delivery: "steer" });
    expect(idle.body.turnId).not.toBe(first.body.turnId);
    const second = await stream.waitFor((f) => f.event === "ca_turn_ended" && f.data.includes(idle.body.messageId));
    expect(jsonOf(second)).toMatchObject({ turnId: idle.body.turnId, reason: "complete" });
  });

  it("is refused by an engine that cannot", async () => {
    const engine = createMockEngine();
    const capabilities = engine.capabilities.filter((name) => name !== "steer" && name !== "fork");
    const rig = await boot({ engine: { ...engine, capabilities } });
    const { sessionId } = await rig.create();
    const steer = await send(rig, sessionId, "!say x", { delivery: "steer" });
    expect([steer.status, steer.body.code]).toEqual([409, "UNSUPPORTED_CAPABILITY"]);
    const fork = await rig.request("POST", `/v1/sessions/${sessionId}/fork`);
    expect([fork.status, fork.body.code]).toEqual([409, "UNSUPPORTED_CAPABILITY"]);
  });

  it("has a limit", async () => {
    const rig = await boot({ limits: { maxQueuedMessages: 3 } });
    const { sessionId } = await rig.create();
    await send(rig, sessionId, "!sleep 60000");
    const codes = [];
    for (let i = 0; i < 5; i++) codes.push((await send(rig, sessionId, "!sleep 1", { delivery: "steer" })).body.code);
    expect(codes).toEqual([undefined, undefined, undefined, "LIMIT_REACHED", "LIMIT_REACHED"]);
  });

  it("of a turn that is being interrupted opens the next one", async () => {
    const rig = await boot({ limits: { stopGraceMs: 500 } });
    const { sessionId } = await rig.create({ options: { misbehave: "ignore_abort" } });
    const stream = await rig.events(sessionId);
    const first = await send(rig, sessionId, "!sleep 60000");
    await stream.waitFor("sdk_message");
    const interrupt = rig.request("POST", `/v1/sessions/${sessionId}/interrupt`);
    const steered = await send(rig, sessionId, "!say next", { delivery: "steer" });
    await interrupt;
    const end = await stream.waitFor((f) => f.event === "ca_turn_ended" && f.data.includes(steered.body.messageId));
    expect(jsonOf(end).turnId).not.toBe(first.body.turnId);
    expect(jsonOf(end).reason).toBe("complete");
  });
});
