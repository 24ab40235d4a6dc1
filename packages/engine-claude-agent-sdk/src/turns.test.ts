import { access } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@computeragent/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script, textOf } from "./fixtures/fake-messages.ts";
import type { TestSession } from "./fixtures/test-session.ts";

const slow = script({ text: "word ", chunks: 300, delayMs: 50 });
const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command, description: "x" } }] });
const isText = (payload: JsonObject): boolean => JSON.stringify(payload).includes("text_delta");
const isToolUse = (payload: JsonObject): boolean =>
  payload.type === "assistant" && JSON.stringify(payload).includes("tool_use");

describe("turns of the real CLI", { timeout: 60_000 }, () => {
  let bench: Bench;
  let session: TestSession;
  const results = (from: number): JsonObject[] =>
    session.events.slice(from).flatMap((event) => (event.kind === "message" && event.final ? [event.payload] : []));

  beforeAll(async () => {
    bench = await makeBench("turns");
    session = await bench.session({ includePartials: true, maxTurns: 3 });
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  it("takes an interrupt that comes before anything has started", async () => {
    const turnId = session.send(slow);
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toEqual({ kind: "turn_end", turnId, reason: "interrupted" });
  });

  it("takes an interrupt that comes while the CLI starts", async () => {
    const turnId = session.send(slow);
    await expect.poll(() => bench.supervisor.children(session.sessionId).length, { timeout: 10_000 }).toBe(1);
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toEqual({ kind: "turn_end", turnId, reason: "interrupted" });
  });

  it("runs two turns in one conversation", async () => {
    expect(await session.turn(script({ text: "first" }))).toMatchObject({ reason: "complete" });
    const from = session.events.length;
    expect(await session.turn("second:", script({ text: "second" }))).toMatchObject({ reason: "complete" });
    expect(results(from)).toMatchObject([{ result: "second" }]);
    const { messages } = bench.fake.requests.at(-1)?.body ?? { messages: [] };
    expect(
      messages.filter((message) => message.role === "assistant").map((message) => textOf(message.content)),
    ).toContain("first");
    expect(textOf(messages.at(-1)?.content)).toContain("second:");
  });

  it("marks growing text, all of it, and its end", async () => {
    const from = session.events.length;
    await session.turn(script({ text: "piece ", think: "hmm", chunks: 5 }));
    const marked = session.events
      .slice(from)
      .flatMap((event) => (event.kind === "message" && event.partial ? [event] : []));
    const texts = new Map<string, string>();
    for (const { payload, partial } of marked) {
      let value: unknown = payload;
      for (const key of partial?.path ?? []) value = (value as Record<string | number, unknown>)[key];
      if (partial?.path) texts.set(partial.channel, (texts.get(partial.channel) ?? "") + String(value));
    }
    expect(Object.fromEntries(texts)).toEqual({ "main:0:thinking": "hmm", "main:1:text": "piece ".repeat(5) });
    expect(marked.filter(({ partial }) => partial?.end).map(({ partial }) => partial?.channel)).toEqual([
      ...texts.keys(),
    ]);
  });

  it("interrupts text, and goes on with the next turn", async () => {
    const from = session.events.length;
    const turnId = session.send(slow);
    await session.message(isText, from);
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "interrupted" });
    expect(await session.turn(script({ text: "alive" }))).toMatchObject({ reason: "complete" });
  });

  it("interrupts a running command, which ends with it", async () => {
    const from = session.events.length;
    const turnId = session.send(script(bash("touch begun; sleep 50; touch ended")));
    await session.message(isToolUse, from);
    await expect
      .poll(
        () =>
          access(join(session.context.workspace, "begun")).then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
    const running = (await bench.owned(session)).length;
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "interrupted" });
    await expect.poll(async () => (await bench.owned(session)).length, { timeout: 10_000 }).toBeLessThan(running);
    expect(await session.turn(script({ text: "alive" }))).toMatchObject({ reason: "complete" });
  });

  it("interrupts while a permission is open, and tells the asker", async () => {
    const before = session.calls.length;
    session.decide = () => new Promise(() => {});
    const turnId = session.send(script(bash("touch never")));
    const call = await session.asked(before + 1);
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "interrupted" });
    expect(call.signal?.aborted).toBe(true);
    session.decide = ({ input }) => ({ behavior: "allow", input });
  });

  it("ends the turn on a denial that says so", async () => {
    session.decide = () => ({ behavior: "deny", message: "stop it", interrupt: true });
    const end = await session.turn(script(bash("touch never"), { text: "on and on" }));
    session.decide = ({ input }) => ({ behavior: "allow", input });
    expect(end).toMatchObject({ reason: "interrupted" });
  });

  it("folds a message into a turn that runs a tool", async () => {
    const from = session.events.length;
    const turnId = session.send(script(bash("sleep 1.5"), { text: "after the tool" }));
    await session.message(isToolUse, from);
    session.steer(turnId, "STEERED-INTO-TOOL");
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "complete" });
    expect(results(from)).toMatchObject([{ result: "after the tool" }]);
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).toContain("STEERED-INTO-TOOL");
  });

  it("answers a message steered into text before the turn ends", async () => {
    const from = session.events.length;
    const turnId = session.send(script({ text: "word ", chunks: 20, delayMs: 50 }));
    await session.message(isText, from);
    session.steer(turnId, script({ text: "steered" }));
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "complete" });
    expect(results(from)).toMatchObject([{ result: "steered" }]);
    expect(session.events.slice(from).filter((event) => event.kind === "turn_end")).toHaveLength(1);
  });

  it("answers a message that was steered too late, and counts it to the next turn", async () => {
    const from = session.events.length;
    const over = session.send(script({ text: "over" }));
    await session.turnEnd(over);
    session.steer(over, script({ text: "late ", chunks: 10, delayMs: 50 }));
    await session.message((payload) => JSON.stringify(payload).includes("late "), from);
    const next = session.send(script({ text: "next" }));
    expect(await session.turnEnd(next)).toMatchObject({ reason: "complete" });
    expect(session.payloads.filter((payload) => payload.type === "result").slice(-2)).toMatchObject([
      { result: "late ".repeat(10) },
      { result: "next" },
    ]);
    const ends = session.events.slice(from).flatMap((event) => (event.kind === "turn_end" ? [event.turnId] : []));
    expect(ends).toEqual([over, next]);
  });

  it("drops steered messages with the turn that is interrupted", async () => {
    const from = session.events.length;
    const requests = bench.fake.requests.length;
    const turnId = session.send(slow);
    await session.message(isText, from);
    session.steer(turnId, script({ text: "never said" }));
    await session.message(
      (payload) => payload.type === "command_lifecycle" && payload.state === "queued",
      session.events.length,
    );
    await session.engine.interrupt();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "interrupted" });
    await sleep(300);
    expect(bench.fake.requests.length).toBe(requests + 1);
  });

  it("counts model steps for each turn", async () => {
    const two = [bash("true"), { text: "end" }];
    expect(await session.turn(script(...two))).toMatchObject({ reason: "complete" });
    expect(await session.turn(script(...two))).toMatchObject({ reason: "complete" });
    expect(await session.turn(script(bash("true"), bash("true"), bash("true"), bash("true")))).toMatchObject({
      reason: "max_turns",
    });
    expect(await session.turn(script({ text: "alive" }))).toMatchObject({ reason: "complete" });
  });

  it("counts the steps of a steered message to its turn", async () => {
    const from = session.events.length;
    const requests = bench.fake.requests.length;
    const turnId = session.send(script({ text: "word ", chunks: 20, delayMs: 50 }));
    await session.message(isText, from);
    session.steer(turnId, script(...Array.from({ length: 8 }, () => bash("sleep 0.3"))));
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "max_turns" });
    expect(bench.fake.requests.length - requests).toBeLessThanOrEqual(4);
  });

  it("ends when its input ends, after the last turn", async () => {
    const turnId = session.send(script({ text: "word ", chunks: 10, delayMs: 50 }));
    session.endInput();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "complete" });
    expect(await session.ended).toBeUndefined();
    expect(await bench.owned(session)).toEqual([]);
  });
});
