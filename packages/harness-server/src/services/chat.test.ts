import { eventually, jsonOf, type OpenStream, openStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type Rig } from "../rig.test-support.ts";

const messages = (content: string) => ({ messages: [{ role: "user" as const, content }] });
const idOf = (stream: OpenStream) => stream.response.headers.get("x-session-id") ?? "";
const status = async (rig: Rig, id: string) => (await rig.request("GET", `/v1/sessions/${id}`)).body.status;

describe("chat", () => {
  it("runs one turn, says first which session it is, and leaves nothing", async () => {
    const rig = await boot();
    const chat = await rig.chat(messages("!say hello"));
    await chat.ended;
    expect(chat.events().map(({ id }) => id)).toEqual(chat.events().map((_, i) => i));
    expect(jsonOf(await chat.waitFor("ca_session_started")).sessionId).toBe(idOf(chat));
    expect(chat.events()[0]?.event).toBe("ca_session_started");
    expect(jsonOf(await chat.waitFor("ca_session_ended"))).toMatchObject({ reason: "complete" });
    // The stream ends first.
    const isGone = async () => (await rig.request("GET", `/v1/sessions/${idOf(chat)}`)).body.code === "NOT_FOUND";
    await eventually(20_000, "the end of the session", isGone);
    expect((await rig.request("GET", "/v1/health")).body.sessions).toMatchObject({ live: 0, known: 0 });
  });

  it("needs something to say", async () => {
    const rig = await boot();
    const body = { engine: "mock", workspace: { type: "local", path: rig.workspace } };
    for (const more of [{}, { messages: [] }]) {
      const answer = await rig.request("POST", "/v1/chat", { ...body, ...more });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, "/messages"]);
    }
    expect((await rig.request("POST", "/v1/chat", { ...body, engine: "x", ...messages("y") })).body.code).toBe(
      "UNKNOWN_ENGINE",
    );
    expect((await rig.request("GET", "/v1/sessions")).body.sessions).toEqual([]);
  });

  it("keeps its input open: a permission is answered in mid-turn", async () => {
    const rig = await boot();
    const chat = await rig.chat({ ...messages("!write a.txt x"), permissionMode: "ask_all" });
    const { callId } = jsonOf(await chat.waitFor("ca_permission_request"));
    await rig.request("POST", `/v1/sessions/${idOf(chat)}/permission/${callId}`, { decision: "allow" });
    expect(jsonOf(await chat.waitFor("ca_turn_ended")).reason).toBe("complete");
    await chat.ended;
  });

  it("whose client leaves is stopped after the grace time, and can still be read", async () => {
    const rig = await boot({ limits: { chatGraceMs: 100 } });
    const chat = await rig.chat(messages("!sleep 60000"));
    await chat.waitFor("sdk_message");
    chat.close();
    await expect.poll(() => status(rig, idOf(chat)), { timeout: 20_000 }).toBe("ended");
    const rest = await openStream(`${rig.url}/v1/sessions/${idOf(chat)}/events`);
    await rest.ended;
    expect(jsonOf(await rest.waitFor("ca_session_ended"))).toMatchObject({ reason: "cancelled" });
    expect(jsonOf(await rest.waitFor("ca_turn_ended"))).toMatchObject({ reason: "interrupted" });
  });

  it("goes on for a client that comes back by the session's events, until that leaves too", async () => {
    const rig = await boot({ limits: { chatGraceMs: 300 } });
    const chat = await rig.chat(messages("!sleep 60000"));
    await chat.waitFor("sdk_message");
    const id = idOf(chat);
    const back = await rig.events(id, chat.events().at(-1)?.id ?? 0);
    chat.close();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await status(rig, id)).toBe("running");
    back.close();
    await expect.poll(() => status(rig, id), { timeout: 20_000 }).toBe("ended");
  });

  it("with a live id of the caller runs one more turn there and leaves it", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!say first");
    await stream.waitFor("ca_turn_ended");
    const chat = await rig.chat({ sessionId, ...messages("!say second") });
    await chat.ended;
    expect(chat.events().map(({ event }) => event)).toEqual(
      expect.arrayContaining(["ca_turn_started", "ca_turn_ended"]),
    );
    expect(chat.events()[0]?.event).toBe("ca_turn_started");
    expect(chat.events().at(-1)?.event).toBe("ca_turn_ended");
    expect(idOf(chat)).toBe(sessionId);
    expect(await rig.info(sessionId)).toMatchObject({ status: "idle", turns: 2 });
  });

  it("that joins a busy session gets its own turn alone", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!sleep 500\n!say of somebody else");
    await stream.waitFor("sdk_message");
    const chat = await rig.chat({ sessionId, ...messages("!say mine") });
    await chat.ended;
    const text = chat
      .events()
      .map(({ data }) => data)
      .join("");
    expect([text.includes("mine"), text.includes("somebody else")]).toEqual([true, false]);
    const queuedThenCut = await rig.create();
    await rig.say(queuedThenCut.sessionId, "!sleep 60000");
    const cut = await rig.chat({ sessionId: queuedThenCut.sessionId, ...messages("!say never") });
    await rig.request("POST", `/v1/sessions/${queuedThenCut.sessionId}/cancel`);
    await cut.ended;
    expect(cut.events().map(({ event }) => event)).toEqual(["ca_session_ended"]);
  });

  it("that joined and is left interrupts its own turn alone", async () => {
    const rig = await boot({ limits: { chatGraceMs: 100 } });
    const { sessionId } = await rig.create();
    const chat = await rig.chat({ sessionId, ...messages("!sleep 60000") });
    await chat.waitFor("sdk_message");
    chat.close();
    await expect.poll(() => status(rig, sessionId), { timeout: 20_000 }).toBe("idle");
    await rig.say(sessionId, "!sleep 60000");
    const waiting = await rig.chat({ sessionId, ...messages("!say queued") });
    await expect.poll(async () => (await rig.info(sessionId)).queued, { timeout: 20_000 }).toBe(1);
    waiting.close();
    await expect.poll(async () => (await rig.info(sessionId)).queued, { timeout: 20_000 }).toBe(0);
    expect(await rig.info(sessionId)).toMatchObject({ status: "running", turns: 2 });
  });

  it("does not join what has another engine or identity", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const identity = { loader: "mock", source: { type: "inline", manifest: {} } };
    const body = { engine: "mock", sessionId, ...messages("!say x") };
    const other = await rig.request("POST", "/v1/chat", { ...body, identity });
    expect([other.status, other.body.code]).toEqual([409, "SESSION_EXISTS"]);
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    const anew = await rig.chat({ sessionId, ...messages("!say x") });
    await anew.ended;
    expect(anew.events()[0]?.event).toBe("ca_session_started");
  });
});
