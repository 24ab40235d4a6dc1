import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CreateSessionBody } from "@computeragent/protocol";
import { jsonOf, type OpenStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot, type RigConfig } from "../rig.test-support.ts";

async function start(body: Partial<CreateSessionBody> = {}, config: RigConfig = {}) {
  const rig = await boot(config);
  const { sessionId } = await rig.create({ permissionMode: "auto", ...body });
  const stream = await rig.events(sessionId);
  return { rig, sessionId, stream, interrupt: () => rig.request("POST", `/v1/sessions/${sessionId}/interrupt`) };
}

/** Waits for the reasons of all turns that have ended. */
const expectEnds = (stream: OpenStream, reasons: string[]) =>
  expect
    .poll(() => stream.events().flatMap((e) => (e.event === "ca_turn_ended" ? [jsonOf(e).reason] : [])), {
      timeout: 20_000,
    })
    .toEqual(reasons);

describe("interrupt", () => {
  it("ends the turn in the middle of text, and the session goes on", async () => {
    const { rig, sessionId, stream, interrupt } = await start();
    await rig.say(sessionId, "!stream 100000 10 20");
    await stream.waitFor((frame) => (frame.id ?? 0) > 10);
    expect((await interrupt()).body).toEqual({ ok: true });
    await expectEnds(stream, ["interrupted"]);
    expect((await rig.info(sessionId)).status).toBe("idle");
    await rig.say(sessionId, "!say again");
    await stream.waitFor((frame) => frame.data.includes('"history_messages":1'));
    await stream.waitFor((frame) => frame.event === "ca_turn_ended" && frame.data.includes('"complete"'));
  });

  it("ends a running command, and nothing of the script follows", async () => {
    const { rig, sessionId, stream, interrupt } = await start();
    await rig.say(sessionId, "!bash touch started; sleep 60\n!write after.txt no");
    await expect.poll(() => existsSync(join(rig.workspace, "started")), { timeout: 20_000 }).toBe(true);
    await interrupt();
    await expectEnds(stream, ["interrupted"]);
    await rig.say(sessionId, "!say next");
    await stream.waitFor((frame) => frame.event === "ca_turn_ended" && frame.data.includes('"complete"'));
    expect(existsSync(join(rig.workspace, "after.txt"))).toBe(false);
  });

  it("cancels what is asked, and lets a late answer be late", async () => {
    const { rig, sessionId, stream, interrupt } = await start({ permissionMode: "ask_all" });
    await rig.say(sessionId, "!write a.txt x");
    const { callId } = jsonOf(await stream.waitFor("ca_permission_request"));
    await interrupt();
    expect(jsonOf(await stream.waitFor("ca_permission_resolved"))).toMatchObject({
      callId,
      decision: "cancelled",
      by: "host",
    });
    await expectEnds(stream, ["interrupted"]);
    const late = await rig.request("POST", `/v1/sessions/${sessionId}/permission/${callId}`, { decision: "allow" });
    expect([late.status, late.body.code]).toEqual([410, "PERMISSION_EXPIRED"]);
    expect(existsSync(join(rig.workspace, "a.txt"))).toBe(false);
    expect((await rig.info(sessionId)).pendingPermissions).toBe(0);
  });

  it("changes nothing when nothing runs", async () => {
    const { rig, sessionId, interrupt } = await start();
    expect((await interrupt()).status).toBe(200);
    expect(await rig.info(sessionId)).toMatchObject({ status: "idle", headId: 0 });
  });

  it("is as good twice at once", async () => {
    const { rig, sessionId, stream, interrupt } = await start();
    await rig.say(sessionId, "!sleep 60000");
    await stream.waitFor("sdk_message");
    const answers = await Promise.all([interrupt(), interrupt()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await expectEnds(stream, ["interrupted"]);
  });

  it("lets queued messages follow", async () => {
    const { rig, sessionId, stream, interrupt } = await start();
    await rig.say(sessionId, "!sleep 60000");
    await rig.say(sessionId, "!say queued");
    await stream.waitFor("sdk_message");
    await interrupt();
    await stream.waitFor((frame) => frame.event === "ca_turn_ended" && frame.data.includes('"complete"'));
    await expectEnds(stream, ["interrupted", "complete"]);
  });

  it("is forced on an engine that ignores it, and the next message resumes with the history", async () => {
    const { rig, sessionId, stream, interrupt } = await start(
      { options: { misbehave: "ignore_abort" } },
      { limits: { stopGraceMs: 200 } },
    );
    await rig.say(sessionId, "!say one");
    await stream.waitFor("ca_turn_ended");
    await rig.say(sessionId, "!sleep 60000");
    await stream.waitFor((frame) => frame.data.includes('"history_messages":1'));
    await interrupt();
    await expectEnds(stream, ["complete", "interrupted"]);
    await rig.say(sessionId, "!say three");
    await stream.waitFor((frame) => frame.data.includes('"history_messages":2'));
    await stream.waitFor((frame) => frame.data.includes('"text":"three"'));
  });

  it("is forced on an engine that never began, and the next message begins anew", async () => {
    const { rig, sessionId, stream, interrupt } = await start(
      { options: { misbehave: "never_start" } },
      { limits: { stopGraceMs: 200 } },
    );
    await rig.say(sessionId, "!say one");
    await interrupt();
    await expectEnds(stream, ["interrupted"]);
    await rig.say(sessionId, "!say two");
    expect((await rig.info(sessionId)).status).toBe("running");
  });
});
