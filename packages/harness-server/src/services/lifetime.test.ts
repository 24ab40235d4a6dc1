import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { IdentityLoader } from "@computeragent/protocol";
import { createMockEngine, createMockLoader, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

const soon = { timeout: 20_000 };
const owned = { identity: { loader: "mock", source: { type: "inline" as const, manifest: {} } } };

describe("an idle session", () => {
  it("expires by timer; one that runs, waits or is read does not", async () => {
    const rig = await boot({ limits: { idleTtlMs: 300, reaperIntervalMs: 20 } });
    const idle = await rig.create();
    const running = await rig.create({ messages: [{ role: "user", content: "!sleep 60000" }] });
    const waiting = await rig.create({
      permissionMode: "ask_all",
      messages: [{ role: "user", content: "!write a.txt x" }],
    });
    const read = await rig.create();
    const reader = await rig.events(read.sessionId);
    await expect.poll(async () => (await rig.info(idle.sessionId)).ended?.reason, soon).toBe("expired");
    await setTimeout(400);
    const statuses = [];
    for (const { sessionId } of [running, waiting, read]) statuses.push((await rig.info(sessionId)).status);
    expect(statuses).toEqual(["running", "waiting_permission", "idle"]);
    reader.close();
    await expect.poll(async () => (await rig.info(read.sessionId)).status, soon).toBe("ended");
  });

  it("is not idle while files are changed", async () => {
    const rig = await boot({ limits: { idleTtlMs: 600, reaperIntervalMs: 20 } });
    const { sessionId } = await rig.create();
    for (let n = 0; n < 10; n++) {
      const put = await rig.request("PUT", `/v1/sessions/${sessionId}/fs/file?path=f${n}`, "x", {
        "if-none-match": "*",
      });
      expect(put.status).toBe(200);
      await setTimeout(100);
    }
    expect((await rig.info(sessionId)).status).toBe("idle");
  });

  it("costs others no time when its engine does not stop", async () => {
    const rig = await boot({ limits: { idleTtlMs: 200, reaperIntervalMs: 20, stopGraceMs: 2000 } });
    const bad = await rig.create({
      options: { misbehave: "ignore_abort" },
      messages: [{ role: "user", content: "!say x" }],
    });
    const good = await rig.create();
    await expect.poll(async () => (await rig.info(good.sessionId)).status, soon).toBe("ended");
    expect((await rig.info(bad.sessionId)).status).not.toBe("ended");
    await expect.poll(async () => (await rig.info(bad.sessionId)).ended?.reason, soon).toBe("expired");
  });
});

describe("an ended session", () => {
  it("can be read for a while, then it is forgotten with its folders", async () => {
    const rig = await boot({ limits: { endedRetentionMs: 400, reaperIntervalMs: 20 } });
    const { sessionId } = await rig.create(owned);
    const other = await rig.create();
    await writeFile(join(rig.workspace, "mine.txt"), "mine");
    expect(await rig.leftovers()).not.toEqual([]);
    for (const id of [sessionId, other.sessionId]) await rig.request("DELETE", `/v1/sessions/${id}`);
    const stream = await rig.events(sessionId);
    await stream.ended;
    expect((await rig.request("GET", `/v1/sessions/${sessionId}/fs/tree`)).status).toBe(200);
    await expect.poll(async () => (await rig.request("GET", `/v1/sessions/${sessionId}`)).status, soon).toBe(404);
    await expect.poll(() => rig.leftovers(), soon).toEqual([]);
    expect(await readFile(join(rig.workspace, "mine.txt"), "utf8")).toBe("mine");
  });
});

describe("a silent engine", () => {
  it("is mentioned once per silence", async () => {
    const rig = await boot({ limits: { silenceNoticeMs: 100, reaperIntervalMs: 20 } });
    const { sessionId } = await rig.create({ messages: [{ role: "user", content: "!sleep 600\n!say x\n!sleep 600" }] });
    const stream = await rig.events(sessionId);
    await stream.waitFor("ca_turn_ended");
    const notices = stream.events().filter(({ event }) => event === "ca_notice");
    expect(notices.map((frame) => jsonOf(frame).code)).toEqual(["engine.silent", "engine.silent"]);
  });
});

describe("shutting down", () => {
  it("ends sessions, streams and listeners, removes what the host made, and leaves the rest", async () => {
    const rig = await boot();
    await writeFile(join(rig.workspace, "mine.txt"), "mine");
    const idle = await rig.create(owned);
    const running = await rig.create({
      messages: [{ role: "user", content: "!bash sleep 60" }],
      permissionMode: "auto",
    });
    const streams = [await rig.events(idle.sessionId), await rig.events(running.sessionId)];
    await streams[1]?.waitFor("sdk_message");
    await Promise.all([rig.server.close(), rig.server.close()]);
    for (const stream of streams) {
      await stream.ended;
      expect(stream.events().at(-1)?.event).toBe("ca_session_ended");
      expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({ reason: "shutdown" });
    }
    expect(await rig.leftovers()).toEqual([]);
    expect(await readFile(join(rig.workspace, "mine.txt"), "utf8")).toBe("mine");
    await expect(fetch(`${rig.url}/v1/health`)).rejects.toThrow();
    await expect(rig.server.listen({ host: "127.0.0.1", port: 0 })).rejects.toThrow(/closed/);
  });

  it("takes no new work, says so, and still lets read", async () => {
    const rig = await boot({ limits: { stopGraceMs: 1500 } });
    const { sessionId } = await rig.create({
      options: { misbehave: "ignore_abort" },
      messages: [{ role: "user", content: "!sleep 60000" }],
    });
    const stream = await rig.events(sessionId);
    await stream.waitFor("sdk_message");
    const closing = rig.server.close();
    const post = await rig.request("POST", "/v1/sessions", { engine: "mock", ...owned });
    expect([post.status, post.body.code]).toEqual([503, "DRAINING"]);
    const health = await rig.request("GET", "/v1/health");
    expect([health.status, health.body.ok, health.body.status]).toEqual([503, false, "draining"]);
    expect((await rig.request("GET", `/v1/sessions/${sessionId}`)).status).toBe(200);
    await closing;
  });

  it.each(["listens to the abort", "does not"])(
    "stops a create whose loader %s, and leaves nothing of it",
    async (how) => {
      const started = Promise.withResolvers<void>();
      const mock = createMockLoader();
      const loader: IdentityLoader = {
        name: "mock",
        load: async (request) => {
          const loaded = mock.load(request);
          // Its folder goes when the wait is given up.
          loaded.catch(() => {});
          started.resolve();
          const wait = setTimeout(300, undefined, how === "does not" ? {} : { signal: request.signal });
          await wait;
          return loaded;
        },
      };
      const rig = await boot({ identityLoaders: [loader], allowedHosts: "any" });
      // In process: no connection is there to be waited for.
      const creating = rig.server.fetch(
        new Request("http://here/v1/sessions", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ engine: "mock", ...owned }),
        }),
      );
      await started.promise;
      await rig.server.close();
      expect(await rig.leftovers()).toEqual([]);
      expect(await (await creating).json()).toMatchObject({ code: "DRAINING" });
    },
  );

  it("goes on when a part fails", async () => {
    const errors: string[] = [];
    const note = (_fields: object, message: string): void => void errors.push(message);
    const rig = await boot({
      engine: { ...createMockEngine(), dispose: () => Promise.reject(new Error("stuck")) },
      logger: { debug: () => {}, info: () => {}, warn: note, error: note },
    });
    const { sessionId } = await rig.create(owned);
    const stream = await rig.events(sessionId);
    await rig.server.close();
    await stream.ended;
    expect(errors).toEqual(["could not dispose of an engine"]);
    expect(await rig.leftovers()).toEqual([]);
  });
});
