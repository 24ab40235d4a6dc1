import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineFailure, type JsonObject } from "@computeragent/protocol";
import { createSupervisor } from "@computeragent/supervisor";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import type { TestSession } from "./fixtures/test-session.ts";

const MIB = 1024 * 1024;
const executable = join(import.meta.dirname, "fixtures", "rude-cli.mjs");

describe("a CLI that misbehaves", { timeout: 60_000 }, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench("rude");
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const start = (how: string, bytes = 0, maxMessageBytes = 16 * MIB): Promise<TestSession> =>
    bench.session({ envs: { RUDE: how, RUDE_BYTES: String(bytes) } }, { executable, maxMessageBytes });
  const texts = (session: TestSession): string[] =>
    session.payloads.flatMap((payload) => {
      const content = (payload.message as JsonObject | undefined)?.content as readonly { text: string }[] | undefined;
      return content?.map((block) => block.text) ?? [];
    });
  const notices = (session: TestSession) =>
    session.events.flatMap((event) => (event.kind === "notice" ? [event.notice] : []));
  /** Whatever it did: it ends when told to, and nothing of it is left. */
  const ends = async (session: TestSession): Promise<void> => {
    await session.engine.close();
    await session.ended;
    expect(await bench.owned(session)).toEqual([]);
  };

  it("one byte at a time is understood, also what the SDK would take for the end of a line", async () => {
    const session = await start("one_byte");
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(texts(session)).toEqual(["é😀\u2028 end"]);
    await ends(session);
  });

  it.each([1_000_000, 10_000_000])("with messages of %i bytes is understood", async (bytes) => {
    const session = await start("large", bytes);
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(texts(session).map((text) => text.length)).toEqual([bytes]);
    await ends(session);
  });

  it("with a message that is too large loses the turn, not the session", async () => {
    const session = await start("large", 3 * MIB, 2 * MIB);
    for (const text of ["one", "two"]) {
      expect(await session.turn(text)).toMatchObject({
        reason: "error",
        error: { class: "permanent", code: "message_too_large", message: expect.stringContaining("more than 2 MiB") },
      });
      expect(texts(session)).toEqual([]);
    }
    await ends(session);
  });

  it("that writes other things than messages is understood, and it is told once", async () => {
    const session = await start("noise");
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(texts(session)).toEqual(["heard"]);
    expect(notices(session)).toEqual([
      {
        level: "warning",
        code: "engine_output_ignored",
        message: expect.stringContaining("Welcome to the CLI, key sk-ant-***"),
      },
    ]);
    await ends(session);
  });

  it.each([
    ["glued", "Loading..."],
    ["brace", "{oops} starting"],
  ])("that writes beside its messages, as with %s, is heard all the same", async (manner, told) => {
    const session = await start(manner);
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(texts(session)).toEqual(["heard"]);
    expect(notices(session)).toEqual([
      { level: "warning", code: "engine_output_ignored", message: expect.stringContaining(`left out: ${told}`) },
    ]);
    await ends(session);
  });

  it("with messages of unknown kinds has them passed on as they are", async () => {
    const session = await start("unknown");
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(session.payloads).toEqual(
      expect.arrayContaining([{ type: "from_the_future", deep: [{ a: null }] }, { no: "type" }, { type: 7 }]),
    );
    await ends(session);
  });

  it("that goes on after its result ends the turn once, with its own result", async () => {
    const session = await start("after_result");
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    await session.message((payload) => payload.result === "late");
    expect(session.events.filter((event) => event.kind === "turn_end")).toHaveLength(1);
    expect(session.payloads.filter((payload) => payload.type === "result").map(({ result }) => result)).toEqual([
      "done",
      "late",
    ]);
    await ends(session);
  });

  it.each([
    ["exit_0", "engine_exited", "transient", "in the middle of a turn"],
    ["exit_1", "engine_exited", "transient", "code 1: something is missing"],
    ["heir", "engine_exited", "transient", "in the middle of a turn"],
    ["broken_control", "engine_exited", "transient", "could not be understood"],
  ])("by %s loses the turn, and the next one starts another CLI", async (how, code, errorClass, message) => {
    const session = await start(how);
    for (const text of ["one", "two"]) {
      expect(await session.turn(text)).toMatchObject({
        reason: "error",
        error: { class: errorClass, code, message: expect.stringContaining(message) },
      });
      await expect.poll(() => bench.owned(session), { timeout: 20_000 }).toEqual([]);
    }
    await ends(session);
  });

  it.each([
    ["exit_0_at_once", "without an answer"],
    ["outdated", "does not honor onFailure"],
  ])("by %s at its start fails the session, and says why", async (how, message) => {
    const session = await start(how);
    session.send("go");
    const error = await session.ended;
    expect(error instanceof EngineFailure && error.error).toMatchObject({
      class: "permanent",
      code: "engine_exited",
      message: expect.stringContaining(message),
    });
    await ends(session);
  });

  it("that closes its output and stays is killed, where no wrapper holds the output open", async () => {
    await using supervisor = await createSupervisor({ hostId: `mute-${process.pid}`, tier: "watchdog" });
    const session = await bench.session({ envs: { RUDE: "mute" } }, { executable, supervisor });
    expect(await session.turn("go")).toMatchObject({
      reason: "error",
      error: { class: "transient", code: "engine_exited", message: expect.stringContaining("closed its output") },
    });
    expect(supervisor.children()).toEqual([]);
    await session.engine.close();
  });

  it("that closes its output behind a wrapper ends when it is told to", async () => {
    const session = await start("mute");
    session.send("go");
    await session.message((payload) => payload.subtype === "init");
    await ends(session);
  });

  it("that says more than the host takes is left waiting, and nothing of it is lost", async () => {
    const session = await start("torrent", 100 * MIB);
    const gate = Promise.withResolvers<void>();
    const turnId = session.send("go");
    await session.message((payload) => payload.subtype === "init");
    session.gate = gate.promise;
    const sent = async (): Promise<number> =>
      Number(await readFile(join(session.context.workspace, "sent"), "utf8").catch(() => 0));
    const stalled = async (): Promise<boolean> => {
      const before = await sent();
      await sleep(500);
      return before > 0 && before === (await sent());
    };
    await expect.poll(stalled, { timeout: 30_000 }).toBe(true);
    expect(await sent()).toBeLessThan(40 * MIB);
    session.gate = undefined;
    gate.resolve();
    expect(await session.turnEnd(turnId)).toMatchObject({ reason: "complete" });
    expect(texts(session)).toHaveLength(1600);
    await ends(session);
  });

  it("that hears neither the end of its input nor signals is killed", async () => {
    const session = await start("deaf");
    session.send("go");
    await session.message((payload) => payload.type === "assistant");
    void session.engine.interrupt();
    await ends(session);
  });

  it("that floods stderr with 100 MB takes no memory for it, and is understood", async () => {
    const before = process.memoryUsage().rss;
    const session = await start("flood", 100 * MIB);
    expect(await session.turn("go")).toMatchObject({ reason: "complete" });
    expect(texts(session)).toEqual(["heard"]);
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * MIB);
    await ends(session);
  });
});
