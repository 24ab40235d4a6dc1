import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateSessionBody } from "@computeragent/protocol";
import { jsonOf, type SseFrame } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type RigConfig } from "../rig.test-support.ts";

async function start(body: Partial<CreateSessionBody> = {}, config: RigConfig = {}) {
  const rig = await boot(config);
  const { sessionId } = await rig.create({ permissionMode: "ask_all", ...body });
  const stream = await rig.events(sessionId);
  const asked = (count: number) => {
    let seen = 0;
    return stream.waitFor((frame) => frame.event === "ca_permission_request" && frame.id !== null && ++seen === count);
  };
  return {
    rig,
    sessionId,
    stream,
    asked: async (count = 1) => {
      const frame = await asked(count);
      return { ...jsonOf(frame), seq: frame.id } as { callId: string; seq: number; risk: string };
    },
    answer: (callId: string, body: unknown) =>
      rig.request("POST", `/v1/sessions/${sessionId}/permission/${callId}`, body),
    resolved: () => stream.events().flatMap((e) => (e.event === "ca_permission_resolved" ? [jsonOf(e)] : [])),
    result: () => stream.waitFor((frame: SseFrame) => frame.data.includes('"tool_result"')),
  };
}

describe("a permission", () => {
  it("is seen in events, list, status and count, and allow lets the call run", async () => {
    const { rig, sessionId, stream, asked, answer, resolved } = await start();
    await rig.say(sessionId, "!write a.txt hello");
    const request = await asked();
    const path = `/v1/sessions/${sessionId}`;
    const { permissions } = (await rig.request("GET", `${path}/permissions`)).body;
    expect(permissions).toEqual([{ ...jsonOf(await stream.waitFor("ca_permission_request")), seq: request.seq }]);
    expect(permissions[0]).toMatchObject({ toolName: "Write", risk: "medium", input: { content: "hello" } });
    expect(Date.parse(permissions[0].expiresAt)).toBeGreaterThan(Date.now());
    expect(await rig.info(sessionId)).toMatchObject({ status: "waiting_permission", pendingPermissions: 1 });
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
    expect((await answer(request.callId, { decision: "allow", reason: "fine" })).body).toEqual({ ack: true });
    await stream.waitFor("ca_turn_ended");
    expect(await readFile(join(rig.workspace, "a.txt"), "utf8")).toBe("hello");
    expect(resolved()).toEqual([{ callId: request.callId, decision: "allow", by: "local", reason: "fine" }]);
    expect((await rig.request("GET", `${path}/permissions`)).body.permissions).toEqual([]);
  });

  it("denied keeps the call from running, and the turn goes on", async () => {
    const { rig, sessionId, stream, asked, answer, result } = await start();
    await rig.say(sessionId, "!write a.txt hello\n!say on");
    await answer((await asked()).callId, { decision: "deny", reason: "not today" });
    expect((await result()).data).toContain("not today");
    expect(jsonOf(await stream.waitFor("ca_turn_ended")).reason).toBe("complete");
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
  });

  it("modified runs with the human's input, and needs one", async () => {
    const { rig, sessionId, stream, asked, answer } = await start();
    await rig.say(sessionId, "!write a.txt hello");
    const { callId } = await asked();
    const without = await answer(callId, { decision: "modify" });
    expect([without.status, without.body.errors[0].pointer]).toEqual([400, "/input"]);
    const input = { file_path: join(rig.workspace, "b.txt"), content: "other" };
    await answer(callId, { decision: "modify", input });
    await stream.waitFor("ca_turn_ended");
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
    expect(await readFile(join(rig.workspace, "b.txt"), "utf8")).toBe("other");
    const swapped = { content: "other", file_path: input.file_path };
    expect((await answer(callId, { decision: "modify", input: swapped })).status).toBe(200);
    expect((await answer(callId, { decision: "modify", input: {} })).body.code).toBe("PERMISSION_RESOLVED");
  });

  it("answered a second time: the same is fine, another one is told the first", async () => {
    const { rig, sessionId, asked, answer } = await start();
    await rig.say(sessionId, "!write a.txt hello");
    const { callId } = await asked();
    await answer(callId, { decision: "deny", reason: "no" });
    expect((await answer(callId, { decision: "deny" })).status).toBe(200);
    const other = await answer(callId, { decision: "allow" });
    expect([other.status, other.body.code]).toEqual([409, "PERMISSION_RESOLVED"]);
    expect(other.body.resolution).toEqual({ callId, decision: "deny", by: "local", reason: "no" });
    await rig.request("POST", `/v1/sessions/${sessionId}/cancel`);
    expect((await answer(callId, { decision: "deny" })).status).toBe(200);
  });

  it("that nobody answers expires as a denial", async () => {
    const { rig, sessionId, stream, asked, answer, resolved, result } = await start(
      {},
      { limits: { permissionExpiryMs: 100 } },
    );
    await rig.say(sessionId, "!write a.txt hello");
    const { callId } = await asked();
    await result();
    await stream.waitFor("ca_turn_ended");
    expect(resolved()).toEqual([{ callId, decision: "expired", by: "expiry", reason: "nobody answered in time" }]);
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
    const late = await answer(callId, { decision: "allow" });
    expect([late.status, late.body.code]).toEqual([410, "PERMISSION_EXPIRED"]);
  });

  it("is known by its id in its own session alone", async () => {
    const { rig, sessionId, asked, answer } = await start();
    await rig.say(sessionId, "!write a.txt hello");
    const { callId } = await asked();
    const other = await rig.create();
    const foreign = await rig.request("POST", `/v1/sessions/${other.sessionId}/permission/${callId}`, {
      decision: "allow",
    });
    expect([foreign.status, foreign.body.code]).toEqual([404, "NOT_FOUND"]);
    expect((await answer("nothing", { decision: "allow" })).body.code).toBe("NOT_FOUND");
    expect((await answer(callId, { decision: "maybe" })).body.code).toBe("VALIDATION");
    expect((await rig.info(sessionId)).status).toBe("waiting_permission");
  });

  it("is told again to a reader whose cursor is past it, and to no other", async () => {
    const { rig, sessionId, asked, answer, stream } = await start();
    await rig.say(sessionId, "!write a.txt hello");
    const { callId, seq } = await asked();
    const past = await rig.events(sessionId, seq);
    const again = jsonOf(await past.waitFor("ca_permission_request"));
    expect(again).toMatchObject({ callId, seq, redelivered: true });
    expect(past.frames[0]?.id).toBeNull();
    const before = await rig.events(sessionId, seq - 1);
    expect((await before.waitFor("ca_permission_request")).id).toBe(seq);
    await answer(callId, { decision: "allow" });
    await stream.waitFor("ca_turn_ended");
    await before.waitFor("ca_turn_ended");
    expect(before.frames.filter(({ event }) => event === "ca_permission_request")).toHaveLength(1);
    const after = await rig.events(sessionId, seq);
    await after.waitFor("ca_turn_ended");
    expect(after.frames.some(({ event }) => event === "ca_permission_request")).toBe(false);
  });

  it("for the session is asked once per tool, but each command is asked for", async () => {
    const { rig, sessionId, stream, asked, answer } = await start();
    await rig.say(sessionId, "!write a.txt 1\n!write b.txt 2\n!bash true\n!bash true\n!bash echo other");
    await answer((await asked(1)).callId, { decision: "allow", scope: "session" });
    await answer((await asked(2)).callId, { decision: "allow", scope: "session" });
    await answer((await asked(3)).callId, { decision: "deny" });
    await stream.waitFor("ca_turn_ended");
    const asks = stream.events().flatMap((e) => (e.event === "ca_permission_request" ? [jsonOf(e).input] : []));
    expect(asks).toMatchObject([{ content: "1" }, { command: "true" }, { command: "echo other" }]);
    expect(existsSync(join(rig.workspace, "b.txt"))).toBe(true);
  });

  it("carries the manifest's rules", async () => {
    const compliance = { framework: "SOX", rule_citations: ["4.2"] };
    const identity = {
      loader: "mock",
      source: { type: "inline" as const, manifest: { governance: { compliance, hitl: "always" } } },
    };
    const { rig, sessionId, stream } = await start({ identity, permissionMode: "auto" });
    await rig.say(sessionId, "!read agent.json");
    expect(jsonOf(await stream.waitFor("ca_permission_request"))).toMatchObject({
      gap_compliance: compliance,
      risk: "low",
    });
  });
});

describe("policy", () => {
  it("denies visibly, without asking", async () => {
    const { rig, sessionId, stream, resolved, result } = await start({ permissionMode: "deny" });
    await rig.say(sessionId, "!write a.txt hello");
    expect((await result()).data).toContain("Denied by policy");
    await stream.waitFor("ca_turn_ended");
    expect(resolved()).toMatchObject([{ decision: "deny", by: "policy" }]);
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
  });

  it("holds read-only access in every mode", async () => {
    const { rig, sessionId, stream, resolved } = await start({ permissionMode: "auto", access: "read_only" });
    await rig.say(sessionId, "!write a.txt hello\n!bash rm -rf x");
    await stream.waitFor("ca_turn_ended");
    expect(resolved().map(({ decision, by }) => [decision, by])).toEqual([
      ["deny", "policy"],
      ["deny", "policy"],
    ]);
  });

  it("is tightened by the manifest, never loosened", async () => {
    const rig = await boot();
    const create = async (governance: object, body: Partial<CreateSessionBody>) => {
      const source = { type: "inline" as const, manifest: { governance } } as never;
      const { sessionId } = await rig.create({ identity: { loader: "mock", source }, ...body });
      const { access, permissionMode } = await rig.info(sessionId);
      return [access, permissionMode];
    };
    const strict = { access: "read_only", permissionMode: "deny" };
    const loose = { access: "full", permissionMode: "auto" };
    expect(await create(strict, { access: "full", permissionMode: "auto" })).toEqual(["read_only", "deny"]);
    expect(await create(loose, { access: "read_only", permissionMode: "ask_all" })).toEqual(["read_only", "ask_all"]);
    expect(await create({}, {})).toEqual(["workspace_write", "ask"]);
  });
});
