import type { EngineDriver, EngineEvent, EngineInput, JsonObject } from "@computeragent/protocol";
import { createMockEngine, jsonOf, type OpenStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import type { HostLimits } from "../limits.ts";
import { boot } from "../rig.test-support.ts";

type Script = (turnId: string) => AsyncGenerator<EngineEvent> | Generator<EngineEvent>;

/** An engine that runs `script` for each turn and then ends it, unless the script did or threw. */
function scripted(script: Script): EngineDriver {
  const nothing = async (): Promise<void> => {};
  async function* run(input: AsyncIterable<EngineInput>): AsyncGenerator<EngineEvent> {
    for await (const { turnId } of input) {
      yield* script(turnId);
      yield { kind: "turn_end", turnId, reason: "complete" };
    }
  }
  return {
    ...createMockEngine(),
    startSession: ({ input }) => ({
      [Symbol.asyncIterator]: () => run(input),
      interrupt: nothing,
      close: nothing,
      kill: nothing,
    }),
  };
}

const say = (payload: JsonObject): EngineEvent => ({ kind: "message", payload });
const assistant = (text: string): JsonObject => ({ type: "assistant", message: { content: [{ type: "text", text }] } });
/** An event that the port does not know, as an engine of another version may send it. */
const foreign = (value: unknown): EngineEvent => value as EngineEvent;

/** One turn of an engine with this script, and everything that a reader saw until the session ended. */
async function runOnce(
  script: Script,
  limits: Partial<HostLimits> = {},
): Promise<{ stream: OpenStream; messages: JsonObject[] }> {
  const rig = await boot({ engine: scripted(script), limits });
  const { sessionId } = await rig.create({ options: {} });
  const stream = await rig.events(sessionId);
  await rig.say(sessionId, "go");
  await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
  await stream.ended;
  const messages = stream.events().filter(({ event }) => event === "sdk_message");
  expect(stream.events().map(({ id }) => id)).toEqual(stream.events().map((_, n) => n));
  expect((await rig.request("GET", "/v1/health")).body.sessions.live).toBe(0);
  return { stream, messages: messages.map(jsonOf) };
}

describe("output of an engine", () => {
  it("of an unknown kind is left out, a message of an unknown type is passed on as it is", async () => {
    const unknown = { type: "from_the_future", deep: [{ a: null }], "": 0 };
    const { stream, messages } = await runOnce(function* () {
      yield foreign({ kind: "from_the_future", payload: {} });
      yield foreign({});
      yield say(unknown);
      yield say({});
    });
    expect(messages).toEqual([unknown, {}]);
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({ reason: "complete" });
  });

  it.each([
    ["nothing", () => foreign(null)],
    ["a message without content", () => foreign({ kind: "message" })],
    ["a message that is no JSON", () => foreign({ kind: "message", payload: { n: 1n } })],
    [
      "a message that contains itself",
      () => {
        const payload: Record<string, unknown> = {};
        payload.self = payload;
        return foreign({ kind: "message", payload });
      },
    ],
  ])("that is %s ends the session with a typed error", async (_what, make) => {
    const { stream, messages } = await runOnce(function* () {
      yield say(assistant("before"));
      yield make();
      yield say(assistant("after"));
    });
    expect(messages).toEqual([assistant("before")]);
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({
      reason: "error",
      error: { class: "permanent" },
    });
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({
      reason: "error",
      error: { code: "ENGINE_UNAVAILABLE", class: "permanent" },
    });
  });

  it("of 10 MB in one message comes whole", async () => {
    const text = "0123456789\u2028é😀".repeat(600_000);
    const { messages } = await runOnce(function* () {
      yield say(assistant(text));
    });
    expect(messages).toEqual([assistant(text)]);
  });

  it.each([
    ["a message", (text: string) => say(assistant(text))],
    [
      "a piece of text",
      (text: string): EngineEvent => ({
        kind: "message",
        payload: { type: "stream_event", event: { delta: { text } } },
        partial: { channel: "c", path: ["event", "delta", "text"] },
      }),
    ],
  ])("in %s above the bound ends the turn as too large, and what was said before stays", async (_what, make) => {
    const { stream, messages } = await runOnce(
      function* () {
        yield say(assistant("before"));
        yield make("x".repeat(5000));
        yield say(assistant("after"));
      },
      { maxMessageBytes: 5000 },
    );
    expect(messages).toEqual([assistant("before")]);
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({
      reason: "error",
      error: { class: "permanent", code: "message_too_large" },
    });
  });

  it("that grows by one unit at a time, through pairs of surrogates, adds up to the same text", async () => {
    const text = "one 😀 two\u2028\u2029three \u0000 é end";
    const { messages } = await runOnce(function* () {
      for (let n = 0; n < text.length; n++) {
        const payload = { type: "stream_event", event: { delta: { text: text.charAt(n) } } };
        yield { kind: "message", payload, partial: { channel: "c", path: ["event", "delta", "text"], end: false } };
      }
    });
    const grown = messages.map(({ event }) => (event as { delta: { text: string } }).delta.text).join("");
    expect(grown).toBe(text);
  });

  it("about a turn that is over, or never was, ends nothing", async () => {
    const { stream } = await runOnce(function* (turnId) {
      yield { kind: "turn_end", turnId: "turn_of_nobody", reason: "complete" };
      yield say(assistant("in time"));
      yield { kind: "turn_end", turnId, reason: "complete" };
      yield { kind: "turn_end", turnId, reason: "error", error: { class: "permanent", message: "late" } };
    });
    const ends = stream.events().filter(({ event }) => event === "ca_turn_ended");
    expect(ends.map((end) => jsonOf(end).reason)).toEqual(["complete"]);
  });
});
