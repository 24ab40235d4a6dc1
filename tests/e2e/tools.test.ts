import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { jsonOf, type SseFrame } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./host-process.ts";

let host: HostProcess;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const inWorkspace = (name: string): string => join(host.workspace, name);
const callOf = (frame: SseFrame): string => String(jsonOf(frame).callId);

describe("the real Claude Agent SDK behind the protocol", () => {
  it("writes, reads, edits and runs commands, with the files on disk to prove it", async () => {
    const id = await host.create({ permissionMode: "auto" });
    const stream = await host.events(id);
    await host.say(
      id,
      [
        "!write a.txt alpha beta",
        "!read a.txt",
        "!edit a.txt beta => gamma",
        "!bash cat a.txt > b.txt; pwd >> b.txt",
        "!say ready",
      ].join("\n"),
    );
    const ended = jsonOf(await stream.waitFor("ca_turn_ended"));
    expect(ended).toMatchObject({ reason: "complete" });
    expect(await readFile(inWorkspace("a.txt"), "utf8")).toBe("alpha gamma");
    expect(await readFile(inWorkspace("b.txt"), "utf8")).toBe(`alpha gamma${host.workspace}\n`);
    const kinds = stream
      .events()
      .filter((e) => e.event === "sdk_message")
      .map((e) => jsonOf(e).type);
    expect(kinds).toContain("result");
    expect(jsonOf(stream.events().find((e) => jsonOf(e).type === "result") as SseFrame)).toMatchObject({
      result: "ready",
      is_error: false,
    });
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("runs what was allowed, nothing that was denied, and what was put in its place", async () => {
    const id = await host.create();
    const stream = await host.events(id);
    const answer = async (body: object, from: number): Promise<number> => {
      const request = await stream.waitFor("ca_permission_request", from);
      expect((await host.client.call("getSession", { sessionId: id })).status).toBe("waiting_permission");
      await host.client.call("answerPermission", { sessionId: id, callId: callOf(request), body: body as never });
      return stream.frames.indexOf(request) + 1;
    };
    await host.say(id, "!write allowed.txt yes\n!write denied.txt no\n!bash echo original > modified.txt\n!say end");
    let from = await answer({ decision: "allow" }, 0);
    from = await answer({ decision: "deny", reason: "not this one" }, from);
    await answer(
      { decision: "modify", input: { command: "echo replaced > modified.txt", description: "changed" } },
      from,
    );
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    expect(await readFile(inWorkspace("allowed.txt"), "utf8")).toBe("yes");
    expect(existsSync(inWorkspace("denied.txt"))).toBe(false);
    expect(await readFile(inWorkspace("modified.txt"), "utf8")).toBe("replaced\n");
    expect(JSON.stringify(stream.events().map((e) => jsonOf(e)))).toContain("not this one");
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("waits for a permission that is answered after 65 seconds", { timeout: 120_000 }, async () => {
    const id = await host.create();
    const stream = await host.events(id);
    await host.say(id, "!write late.txt patience\n!say end");
    const request = await stream.waitFor("ca_permission_request");
    await new Promise((resolve) => setTimeout(resolve, 65_000));
    expect(existsSync(inWorkspace("late.txt"))).toBe(false);
    await host.client.call("answerPermission", { sessionId: id, callId: callOf(request), body: { decision: "allow" } });
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    expect(await readFile(inWorkspace("late.txt"), "utf8")).toBe("patience");
    expect(stream.frames.filter((f) => f.comment !== undefined).length).toBeGreaterThanOrEqual(4);
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("gives the agent nothing of the host's environment, and no way to the host", async () => {
    const planted = { SOME_HOST_SECRET: "planted-host-secret", ANTHROPIC_MODEL: "planted-model" };
    await using own = await startHost([], planted);
    const id = await own.create({ permissionMode: "auto", envs: { GIVEN: "to the agent" } });
    const stream = await own.events(id);
    await own.say(id, "!bash env > env.txt; tr '\\\\0' '\\\\n' < /proc/$PPID/cmdline > cmd.txt\n!say end");
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    const seen =
      (await readFile(join(own.workspace, "env.txt"), "utf8")) +
      (await readFile(join(own.workspace, "cmd.txt"), "utf8"));
    expect(seen).toContain("GIVEN=to the agent");
    for (const hidden of ["planted-host-secret", "planted-model", own.token, own.url, new URL(own.url).port]) {
      expect(seen.includes(hidden), hidden).toBe(false);
    }
  });

  it("shows the host's token in no event, even when an agent finds it", async () => {
    const id = await host.create({ permissionMode: "auto", access: "full", options: { includePartials: true } });
    const stream = await host.events(id);
    await host.say(id, `!bash cat ${host.home}/host-token\n!say seen`);
    // What touches the host's own folder is asked for in every mode; somebody who says yes still shows the token to nobody.
    const request = await stream.waitFor("ca_permission_request");
    await host.client.call("answerPermission", { sessionId: id, callId: callOf(request), body: { decision: "allow" } });
    expect(jsonOf(await stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    const shown = stream.frames.map((f) => f.data).join("");
    expect(shown).toContain("[masked:session-value]");
    expect(shown).not.toContain(host.token);
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("never removes or litters a workspace that it did not make", async () => {
    await writeFile(inWorkspace("mine.txt"), "mine");
    const id = await host.create();
    const stream = await host.events(id);
    await host.say(id, "!read mine.txt\n!say seen");
    await stream.waitFor("ca_turn_ended");
    const before = await host.client.call("fsTree", { sessionId: id, query: { depth: 8 } });
    expect(before.entries.some((e) => /claude|computeragent|\.git/i.test(e.path))).toBe(false);
    await host.client.call("deleteSession", { sessionId: id });
    expect(await readFile(inWorkspace("mine.txt"), "utf8")).toBe("mine");
  });
});
