import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, jsonOf, type OpenStream } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./host-process.ts";

let host: HostProcess;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const endOf = async (stream: OpenStream, turnId: string | undefined) =>
  jsonOf(await stream.waitFor((f) => f.event === "ca_turn_ended" && jsonOf(f).turnId === turnId));
const textOf = (stream: OpenStream): string => JSON.stringify(stream.events().map((e) => jsonOf(e)));

describe("turns of the real engine", () => {
  it("interrupts a turn in its text and in a running command, and goes on with the next message", async () => {
    const id = await host.create({ permissionMode: "auto", options: { includePartials: true } });
    const stream = await host.events(id);
    const text = await host.say(id, "!stream 2000 40 50");
    await stream.waitFor((f) => f.event === "sdk_message" && f.data.includes("text_delta"));
    await host.client.call("interrupt", { sessionId: id });
    expect(await endOf(stream, text.turnId)).toMatchObject({ reason: "interrupted" });

    const command = await host.say(id, "!bash touch began.txt; sleep 50; touch finished.txt\n!say never");
    await eventually(20_000, "the command to begin", () => existsSync(join(host.workspace, "began.txt")));
    expect(await host.running("sleep 50")).toBeGreaterThan(0);
    await host.client.call("interrupt", { sessionId: id });
    expect(await endOf(stream, command.turnId)).toMatchObject({ reason: "interrupted" });
    await eventually(10_000, "the command to be gone", async () => (await host.running("sleep 50")) === 0);

    const next = await host.say(id, "!write next.txt goes on\n!say still here");
    expect(await endOf(stream, next.turnId)).toMatchObject({ reason: "complete" });
    expect(await readFile(join(host.workspace, "next.txt"), "utf8")).toBe("goes on");
    expect(existsSync(join(host.workspace, "finished.txt"))).toBe(false);
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("cancels the session with everything that it started", async () => {
    const id = await host.create({ permissionMode: "auto" });
    const stream = await host.events(id);
    await host.say(
      id,
      "!bash touch cancel-began.txt; nohup sleep 61 & setsid sleep 62 & sleep 63\n!write after-cancel.txt no",
    );
    await eventually(20_000, "the command to begin", () => existsSync(join(host.workspace, "cancel-began.txt")));
    expect(await host.running("sleep 6")).toBeGreaterThanOrEqual(3);
    await host.client.call("cancel", { sessionId: id });
    await stream.ended;
    expect(stream.events().at(-1)?.event).toBe("ca_session_ended");
    expect(jsonOf(stream.events().at(-1) as never)).toMatchObject({ reason: "cancelled" });
    await eventually(10_000, "every process to be gone", async () => (await host.running("sleep 6")) === 0);
    expect(existsSync(join(host.workspace, "after-cancel.txt"))).toBe(false);
    await expect(host.say(id, "!say more")).rejects.toMatchObject({ code: "SESSION_ENDED" });
  });

  it("queues a message behind the running turn, and steers another one into it", async () => {
    const id = await host.create({ permissionMode: "auto" });
    const stream = await host.events(id);
    const first = await host.say(id, "!bash sleep 3; echo first > order.txt\n!say first done");
    const queued = await host.say(id, "!bash echo queued >> order.txt\n!say queued done");
    const steered = await host.say(id, "!bash echo steered > steered.txt\n!say steered done", "steer");
    expect(queued.turnId).toBeUndefined();
    expect(steered.turnId).toBe(first.turnId);
    const end = await endOf(stream, first.turnId);
    expect(end.messageIds).toEqual([first.messageId, steered.messageId]);
    const started = await stream.waitFor((f) => f.event === "ca_turn_started" && f.data.includes(queued.messageId));
    expect(await endOf(stream, String(jsonOf(started).turnId))).toMatchObject({ reason: "complete" });
    expect(await readFile(join(host.workspace, "order.txt"), "utf8")).toBe("first\nqueued\n");
    expect(await readFile(join(host.workspace, "steered.txt"), "utf8")).toBe("steered\n");
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("ends a turn or a session at its limits", async () => {
    const steps = "!bash echo 1\n!bash echo 2\n!bash echo 3\n!bash echo 4\n!say end";
    const turns = await host.create({ permissionMode: "auto", limits: { maxTurns: 2 } });
    const stream = await host.events(turns);
    const first = await host.say(turns, steps);
    expect(await endOf(stream, first.turnId)).toMatchObject({ reason: "max_turns" });
    const second = await host.say(turns, "!say a turn has its own steps");
    expect(await endOf(stream, second.turnId)).toMatchObject({ reason: "complete" });
    await host.client.call("deleteSession", { sessionId: turns });

    for (const limits of [{ maxTokens: 10 }, { maxWallMs: 1500 }]) {
      const id = await host.create({ permissionMode: "auto", limits });
      const events = await host.events(id);
      await host.say(id, `!bash sleep 4\n${steps}`);
      await events.ended;
      expect(jsonOf(events.events().at(-1) as never), JSON.stringify(limits)).toMatchObject({
        reason: "budget_exceeded",
      });
    }
  });

  it("ends a session at its budget, after one model call too many at the most", async () => {
    await using dear = await startHost(["--simulate-price", "1000/1000"]);
    const id = await dear.create({ permissionMode: "auto", limits: { maxBudgetUsd: 5 } });
    const stream = await dear.events(id);
    await dear.say(id, "!bash echo 1 > one.txt\n!bash echo 2 > two.txt\n!say end");
    await stream.ended;
    expect(jsonOf(stream.events().at(-1) as never)).toMatchObject({ reason: "budget_exceeded" });
    const usage = (await dear.client.call("getSession", { sessionId: id })).usage;
    expect(usage.cost_usd).toBeGreaterThan(5);
    expect(existsSync(join(dear.workspace, "two.txt"))).toBe(false);
  });

  it("says what kind of error the model's endpoint gave, and the session lives on", { timeout: 240_000 }, async () => {
    const id = await host.create({ permissionMode: "auto" });
    const stream = await host.events(id);
    for (const [status, kind] of [
      [401, "permanent"],
      [429, "limited"],
      [529, "transient"],
    ] as const) {
      const turn = await host.say(id, `!error ${status}`);
      const frame = await stream.waitFor(
        (f) => f.event === "ca_turn_ended" && jsonOf(f).turnId === turn.turnId,
        0,
        90_000,
      );
      expect(jsonOf(frame), String(status)).toMatchObject({ reason: "error", error: { class: kind } });
    }
    const next = await host.say(id, "!say recovered");
    expect(await endOf(stream, next.turnId)).toMatchObject({ reason: "complete" });
    expect(textOf(stream)).toContain("recovered");
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("fails a turn as transient when the model's endpoint is closed, without hanging", {
    timeout: 180_000,
  }, async () => {
    const envs = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", ANTHROPIC_API_KEY: "sk-ant-test-closed-port" };
    const id = await host.create({ envs });
    const stream = await host.events(id);
    const turn = await host.say(id, "anything");
    const frame = await stream.waitFor(
      (f) => f.event === "ca_turn_ended" && jsonOf(f).turnId === turn.turnId,
      0,
      120_000,
    );
    expect(jsonOf(frame)).toMatchObject({ reason: "error", error: { class: "transient" } });
    expect(textOf(stream)).not.toContain("sk-ant-test-closed-port");
    await host.client.call("deleteSession", { sessionId: id });
  });
});
