import { openRawReader } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

const MIB = 1024 * 1024;

describe("a reader that does not read", () => {
  it("costs little memory, holds up nobody and is cut, while 200 MB go through", { timeout: 180_000 }, async () => {
    const rig = await boot({ limits: { readerStallMs: 1500 } });
    const { sessionId } = await rig.create();
    const stalled = await openRawReader(`${rig.url}/v1/sessions/${sessionId}/events`, { stalled: true });
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(1);
    const other = await rig.create();
    const stream = await rig.events(other.sessionId);
    const before = process.memoryUsage().rss;
    await rig.say(sessionId, "!stream 12500 16384 0");
    let peak = 0;
    while ((await rig.info(sessionId)).status === "running") {
      peak = Math.max(peak, process.memoryUsage().rss);
      const from = stream.frames.length;
      await rig.say(other.sessionId, "!say still here");
      await stream.waitFor("ca_turn_ended", from);
      expect((await rig.request("GET", "/v1/health")).body.ok).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await rig.info(sessionId)).headId).toBeGreaterThan(12_500);
    // The journal keeps 64 MiB; the rest is what passes through.
    expect(peak - before).toBeLessThan(500 * MIB);
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(0);
    stalled.resume();
    expect((await stalled.closed).complete).toBe(false);
  });

  it("gets everything when it goes on", { timeout: 60_000 }, async () => {
    const rig = await boot();
    const { sessionId } = await rig.create();
    const raw = await openRawReader(`${rig.url}/v1/sessions/${sessionId}/events`, { stalled: true });
    const stream = await rig.events(sessionId);
    await rig.say(sessionId, "!stream 2000 10000 0");
    await stream.waitFor("ca_turn_ended", 0, 40_000);
    raw.resume();
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    expect(await raw.closed).toEqual({ complete: true });
    expect(raw.frames.map(({ id }) => id)).toEqual(stream.frames.map(({ id }) => id));
  });

  it("is cut after the end of the session too, if it does not take the rest", { timeout: 60_000 }, async () => {
    const rig = await boot({ limits: { readerStallMs: 500, readerHighWaterBytes: 64 * MIB } });
    const { sessionId } = await rig.create({ messages: [{ role: "user", content: "!stream 1000 16000 0" }] });
    const stream = await rig.events(sessionId);
    await stream.waitFor("ca_turn_ended");
    const raw = await openRawReader(`${rig.url}/v1/sessions/${sessionId}/events`, { stalled: true });
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(2);
    await rig.request("DELETE", `/v1/sessions/${sessionId}`);
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(0);
    // Long after the time is up it reads on: the stream was cut, not ended.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    raw.resume();
    expect(await raw.closed).toEqual({ complete: false });
  });
});

describe("readers", () => {
  it("are counted and limited, and free their place when they leave", async () => {
    const rig = await boot({ limits: { maxReaders: 2 } });
    const { sessionId } = await rig.create();
    const first = await rig.events(sessionId);
    await rig.events(sessionId);
    const third = await rig.request("GET", `/v1/sessions/${sessionId}/events`);
    expect([third.status, third.body.code]).toEqual([429, "LIMIT_REACHED"]);
    expect((await rig.request("POST", "/v1/chat", { engine: "mock", messages: [] })).status).toBe(400);
    first.close();
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(1);
    await rig.events(sessionId);
  });

  it("get a comment at every interval, which moves no cursor", async () => {
    const rig = await boot({ limits: { heartbeatMs: 20 } });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    const third = await stream.waitFor((frame) => frame.comment !== undefined, 3);
    expect(third.id).toBeNull();
    expect(stream.events().map(({ id }) => id)).toEqual([0]);
    await rig.say(sessionId, "!say on");
    await stream.waitFor("ca_turn_ended");
    stream.close();
    await expect.poll(async () => (await rig.info(sessionId)).readers, { timeout: 20_000 }).toBe(0);
  });
});

describe("an engine", () => {
  it("is held for a live reader that is far behind, and then goes on without it", { timeout: 60_000 }, async () => {
    const limits = { readerHighWaterBytes: 100_000, readerHoldBytes: 200_000, readerHoldMs: 1500 };
    const rig = await boot({ limits });
    const { sessionId } = await rig.create();
    const raw = await openRawReader(`${rig.url}/v1/sessions/${sessionId}/events`);
    await expect.poll(() => raw.frames.length, { timeout: 20_000 }).toBe(1);
    raw.stall();
    await rig.say(sessionId, "!stream 2000 10000 0");
    const head = async () => (await rig.info(sessionId)).headId ?? 0;
    let before = -1;
    await expect
      .poll(
        async () => {
          const now = await head();
          const still = now === before;
          before = now;
          return still;
        },
        { timeout: 20_000, interval: 300 },
      )
      .toBe(true);
    expect(before).toBeLessThan(2000);
    await expect.poll(async () => (await rig.info(sessionId)).status, { timeout: 30_000 }).toBe("idle");
    raw.resume();
    await expect.poll(() => raw.frames.at(-1)?.event, { timeout: 30_000 }).toBe("ca_turn_ended");
    raw.destroy();
  });
});
