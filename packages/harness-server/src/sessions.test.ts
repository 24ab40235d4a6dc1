import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMockEngine, jsonOf } from "@computeragent/testing";
import { describe, expect, it, vi } from "vitest";
import { boot } from "./rig.test-support.ts";

describe("a session", () => {
  it("runs turns in order, with ids from 0, and every event fits its schema", async () => {
    const rig = await boot();
    const { sessionId, capabilities } = await rig.create();
    expect(capabilities).toContain("interrupt");
    const stream = await rig.events(sessionId);
    const first = await rig.say(sessionId, "!say one");
    const second = await rig.say(sessionId, "!say two");
    expect(first.turnId).toMatch(/^turn_/);
    expect(second.turnId).toBeUndefined();
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;

    const events = stream.events();
    expect(events.map((e) => e.id)).toEqual(events.map((_, i) => i));
    const turns = events.filter((e) => e.event === "ca_turn_started").map((e) => jsonOf(e).messageIds);
    expect(turns).toEqual([[first.messageId], [second.messageId]]);
    expect(events[0]?.event).toBe("ca_session_started");
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({
      reason: "complete",
      final: { type: "result" },
    });
    const info = await rig.request("GET", `/v1/sessions/${sessionId}`);
    expect(info.body).toMatchObject({
      status: "ended",
      turns: 2,
      headId: events.length - 1,
      ended: { reason: "complete" },
    });
  });

  it("starts its engine with the first message, not with a reader", async () => {
    const onStart = vi.fn();
    const rig = await boot({ engine: createMockEngine({ onStart }) });
    const { sessionId } = await rig.create();
    const stream = await rig.events(sessionId);
    await stream.waitFor("ca_session_started");
    expect([onStart.mock.calls.length, (await rig.info(sessionId)).status]).toEqual([0, "idle"]);
    await rig.say(sessionId, "!say now");
    await stream.waitFor("ca_turn_ended");
    expect(onStart).toHaveBeenCalledOnce();
  });

  it("runs without any reader", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({
      messages: [{ role: "user", content: "!write seen.txt yes" }],
      permissionMode: "auto",
    });
    const stream = await rig.events(sessionId);
    await stream.waitFor("ca_turn_ended");
    expect(await readFile(join(rig.workspace, "seen.txt"), "utf8")).toBe("yes");
  });

  it("never removes a folder that it did not make", async () => {
    const rig = await boot();
    await writeFile(join(rig.workspace, "mine.txt"), "mine");
    const { sessionId } = await rig.create();
    const owned = await rig.create({
      identity: { loader: "mock", source: { type: "inline", manifest: {} } },
      workspace: { type: "identity" },
    });
    expect((await rig.request("DELETE", `/v1/sessions/${sessionId}`)).body).toEqual({ ok: true });
    expect((await rig.request("DELETE", `/v1/sessions/${sessionId}`)).status).toBe(200);
    await rig.request("DELETE", `/v1/sessions/${owned.sessionId}`);
    await rig.server.close();
    expect(await readFile(join(rig.workspace, "mine.txt"), "utf8")).toBe("mine");
    expect(existsSync(join(rig.dir, "data", "work"))).toBe(true);
    expect(await readdir(join(rig.dir, "data", "work"))).toEqual([]);
    expect(await readdir(join(rig.dir, "data", "homes"))).toEqual([]);
  });

  it("refuses what it cannot do, each with its own code", async () => {
    const rig = await boot({ limits: { maxLiveSessions: 2 } });
    const post = (body: unknown) => rig.request("POST", "/v1/sessions", body);
    const local = { type: "local", path: rig.workspace };
    const code = async (body: unknown) => {
      const { status, body: problem } = await post(body);
      return `${status} ${problem.code}`;
    };
    expect(await code({ engine: "nope", workspace: local })).toBe("400 UNKNOWN_ENGINE");
    expect(await code({ engine: "mock", identity: { loader: "nope", source: { type: "local", path: "/x" } } })).toBe(
      "400 UNKNOWN_LOADER",
    );
    expect(await code({ engine: "mock", workspace: local, sessionStore: { name: "x" } })).toBe("400 UNKNOWN_STORE");
    expect(await code({ engine: "mock" })).toBe("400 VALIDATION");
    expect(await code({ engine: "mock", workspace: local, surprise: 1 })).toBe("400 VALIDATION");
    expect(await code({ engine: "mock", workspace: local, sessionId: "../x" })).toBe("400 VALIDATION");
    expect(await code({ engine: "mock", workspace: local, options: { pathToClaudeCodeExecutable: "/bin/sh" } })).toBe(
      "400 OPTION_NOT_ALLOWED",
    );
    expect(await code({ engine: "mock", workspace: local, options: { maxTurns: "many" } })).toBe("400 VALIDATION");
    expect(await code({ engine: "mock", workspace: local, envs: { LD_PRELOAD: "/tmp/x.so" } })).toBe("400 VALIDATION");
    expect(await code({ engine: "mock", workspace: { type: "local", path: "/etc" } })).toBe(
      "403 WORKSPACE_NOT_ALLOWED",
    );
    expect(await code("{")).toBe("400 VALIDATION");
    expect(await code(`${"[".repeat(5000)}${"]".repeat(5000)}`)).toBe("400 VALIDATION");
    await rig.create({ sessionId: "twice" });
    expect(await code({ engine: "mock", workspace: local, sessionId: "twice" })).toBe("409 SESSION_EXISTS");
    await rig.create();
    expect(await code({ engine: "mock", workspace: local })).toBe("429 LIMIT_REACHED");
    expect((await rig.request("GET", "/v1/sessions/sess_missing")).body.code).toBe("NOT_FOUND");
    const wrong = await rig.request("PUT", "/v1/sessions", {});
    expect([wrong.status, wrong.body.code, wrong.headers.get("allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "POST, GET",
    ]);
    expect((await rig.request("GET", "/v1/nothing")).body.code).toBe("NOT_FOUND");
  });

  it("lists own sessions newest first, in pages", async () => {
    const rig = await boot();
    for (const sessionId of ["a", "b", "c"]) await rig.create({ sessionId });
    const page = await rig.request("GET", "/v1/sessions?limit=2");
    expect(page.body.sessions.map((s: { sessionId: string }) => s.sessionId)).toEqual(["c", "b"]);
    const rest = await rig.request("GET", `/v1/sessions?limit=2&cursor=${page.body.nextCursor}`);
    expect(rest.body).toMatchObject({ sessions: [{ sessionId: "a" }], nextCursor: null });
    expect((await rig.request("GET", "/v1/sessions?cursor=zzz")).status).toBe(400);
  });
});
