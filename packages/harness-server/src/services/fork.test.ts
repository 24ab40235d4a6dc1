import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineContext } from "@computeragent/protocol";
import { createMockEngine, createMockLoader, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

const identity = { loader: "mock", source: { type: "inline" as const, manifest: { name: "parent" } } };

describe("a fork", () => {
  it("goes on with a copy of conversation and workspace, and leaves the parent as it is", async () => {
    const contexts: EngineContext[] = [];
    const rig = await boot({ engine: createMockEngine({ onStart: (context) => contexts.push(context) }) });
    const { sessionId } = await rig.create({ identity, permissionMode: "auto", envs: { COLOUR: "blue" } });
    const parent = await rig.events(sessionId);
    await rig.say(sessionId, "!write a.txt one");
    await parent.waitFor("ca_turn_ended");
    const workspace = contexts[0]?.workspace ?? "";
    symlinkSync("a.txt", join(workspace, "link"));
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    const before = await rig.info(sessionId);

    const answer = await rig.request("POST", `/v1/sessions/${sessionId}/fork`, { sessionId: "child" });
    expect(answer.body).toMatchObject({ sessionId: "child", engine: "mock", identity: { name: "parent" } });
    const child = await rig.events("child");
    await rig.say("child", "!write a.txt two\n!bash echo $COLOUR");
    const init = await child.waitFor((frame) => frame.data.includes('"subtype":"init"'));
    expect(jsonOf(init).history_messages).toBe(1);
    await child.waitFor("ca_turn_ended");
    expect(
      child
        .events()
        .map(({ data }) => data)
        .join(""),
    ).toContain("blue");
    const copy = contexts[1]?.workspace ?? "";
    expect(await readFile(join(copy, "a.txt"), "utf8")).toBe("two");
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one");
    expect([existsSync(join(copy, "link")), existsSync(join(copy, "pipe"))]).toEqual([true, false]);
    expect({ ...(await rig.info(sessionId)), readers: 0 }).toEqual({ ...before, readers: 0 });

    const from = parent.frames.length;
    await rig.say(sessionId, "!say parent goes on");
    const again = await parent.waitFor((frame) => frame.data.includes('"subtype":"init"'), from);
    expect(jsonOf(again).history_messages).toBe(1);
  });

  it("of an unread session, of a fork and of an ended session works", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({ identity });
    const fork = async (id: string) => (await rig.request("POST", `/v1/sessions/${id}/fork`)).body.sessionId as string;
    const first = await fork(sessionId);
    const second = await fork(first);
    const stream = await rig.events(second);
    await rig.say(second, "!say hi");
    expect(jsonOf(await stream.waitFor("ca_turn_ended")).reason).toBe("complete");
    await rig.request("DELETE", `/v1/sessions/${second}`);
    const third = await fork(second);
    const last = await rig.events(third);
    await rig.say(third, "!say on");
    expect(jsonOf(await last.waitFor((frame) => frame.data.includes('"subtype":"init"'))).history_messages).toBe(1);
  });

  it("shares a workspace that the host did not make", async () => {
    const contexts: EngineContext[] = [];
    const rig = await boot({ engine: createMockEngine({ onStart: (context) => contexts.push(context) }) });
    const { sessionId } = await rig.create();
    const child = (await rig.request("POST", `/v1/sessions/${sessionId}/fork`)).body.sessionId;
    const stream = await rig.events(child);
    await rig.say(child, "!say hi");
    await stream.waitFor("ca_turn_ended");
    expect(contexts[0]?.workspace).toBe(rig.workspace);
    expect(contexts[0]?.home).toContain("homes");
  });

  it("has its own folders wherever the profile names them", async () => {
    const contexts: EngineContext[] = [];
    const mock = createMockLoader();
    const rig = await boot({
      engine: createMockEngine({ onStart: (context) => contexts.push(context) }),
      identityLoaders: [
        {
          name: "mock",
          load: async (request) => {
            await writeFile(join(request.generatedDir, "plugin.json"), "{}");
            const profile = {
              skills: { pluginDir: join(request.generatedDir, "plugin"), names: ["s"] },
              engine: { hooks: [{ command: `${request.dir}/hook.sh --in ${request.dir}` }] },
            };
            return { ...(await mock.load(request)), profile };
          },
        },
      ],
    });
    const { sessionId } = await rig.create({ identity });
    const child = (await rig.request("POST", `/v1/sessions/${sessionId}/fork`)).body.sessionId;
    for (const id of [sessionId, child]) {
      const stream = await rig.events(id);
      await rig.say(id, "!say hi");
      await stream.waitFor("ca_turn_ended");
    }
    const [parent, forked] = contexts;
    const command = (context?: EngineContext) => JSON.stringify(context?.profile.engine);
    expect(command(parent)).toContain(parent?.workspace);
    expect(command(forked)).toContain(`${forked?.workspace}/hook.sh --in ${forked?.workspace}`);
    expect(forked?.profile.skills?.pluginDir).not.toBe(parent?.profile.skills?.pluginDir);
    expect(existsSync(join(forked?.profile.skills?.pluginDir ?? "", "..", "plugin.json"))).toBe(true);
  });

  it("is refused while a turn runs and for an id that is taken", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({ sessionId: "parent" });
    const taken = await rig.request("POST", `/v1/sessions/${sessionId}/fork`, { sessionId });
    expect([taken.status, taken.body.code]).toEqual([409, "SESSION_EXISTS"]);
    await rig.say(sessionId, "!sleep 60000");
    const busy = await rig.request("POST", `/v1/sessions/${sessionId}/fork`);
    expect([busy.status, busy.body.code]).toEqual([409, "UNSUPPORTED_CAPABILITY"]);
  });

  it("lets messages to the parent wait until the copy is made", async () => {
    const rig = await boot();
    const { sessionId } = await rig.create({ identity });
    const stream = await rig.events(sessionId);
    const [fork, said] = await Promise.all([
      rig.request("POST", `/v1/sessions/${sessionId}/fork`),
      rig.say(sessionId, "!say meanwhile"),
    ]);
    expect(said.messageId).toMatch(/^msg_/);
    if (fork.status === 201) {
      const child = await rig.events(fork.body.sessionId);
      await rig.say(fork.body.sessionId, "!say child");
      const init = await child.waitFor((frame) => frame.data.includes('"subtype":"init"'));
      expect(jsonOf(init).history_messages).toBe(0);
    } else expect(fork.body.code).toBe("UNSUPPORTED_CAPABILITY");
    expect(jsonOf(await stream.waitFor("ca_turn_ended")).reason).toBe("complete");
  });
});
