import type { CreateSessionBody } from "@computeragent/protocol";
import { jsonOf, type OpenStream } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

const OWN = "correct-horse-battery-staple";
const GENERIC = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

async function start(body: Partial<CreateSessionBody> = {}) {
  const rig = await boot();
  const { sessionId } = await rig.create({ envs: { MY_TOKEN: OWN }, permissionMode: "auto", ...body });
  return { rig, sessionId, stream: await rig.events(sessionId) };
}

const whole = (stream: OpenStream) =>
  stream
    .events()
    .map(({ data }) => data)
    .join("\n");
const deltas = (stream: OpenStream) =>
  stream
    .events()
    .flatMap((e) => (e.event === "sdk_message" ? [jsonOf(e)] : []))
    .flatMap((m) => (m as { event?: { delta?: { text?: string } } }).event?.delta?.text ?? [])
    .join("");

describe("secrets", () => {
  it("are masked in messages, tool output and results, and the rest stays as it is", async () => {
    const { rig, sessionId, stream } = await start();
    await rig.say(sessionId, `!bash echo "$MY_TOKEN and ${GENERIC} and plain"\n!say it is ${OWN}!`);
    await stream.waitFor("ca_turn_ended");
    await rig.request("POST", `/v1/sessions/${sessionId}/end-input`);
    await stream.ended;
    expect(whole(stream)).not.toContain(OWN);
    expect(whole(stream)).not.toContain(GENERIC);
    expect(whole(stream)).toMatch(/\[masked:[\w-]+\] and \[masked:github-token\] and plain/);
    expect(jsonOf(await stream.waitFor("ca_session_ended"))).toMatchObject({
      final: { type: "result", result: expect.stringMatching(/^it is \[masked:[\w-]+\]!$/) },
    });
  });

  it("are masked in what is asked, wherever that is shown, and the call gets its own input", async () => {
    const { rig, sessionId, stream } = await start({ permissionMode: "ask_all" });
    await rig.say(sessionId, `!write a.txt ${OWN} ${GENERIC}`);
    const { callId, ...asked } = jsonOf(await stream.waitFor("ca_permission_request"));
    const listed = (await rig.request("GET", `/v1/sessions/${sessionId}/permissions`)).body;
    const again = await rig.events(sessionId, stream.events().at(-1)?.id ?? 0);
    const redelivered = jsonOf(await again.waitFor("ca_permission_request"));
    for (const shown of [asked, listed, redelivered]) {
      expect(JSON.stringify(shown)).not.toContain(OWN);
      expect(JSON.stringify(shown)).not.toContain(GENERIC);
    }
    await rig.request("POST", `/v1/sessions/${sessionId}/permission/${callId}`, { decision: "allow", reason: OWN });
    await stream.waitFor("ca_turn_ended");
    expect(whole(stream)).not.toContain(OWN);
    const file = await rig.request("GET", `/v1/sessions/${sessionId}/fs/file?path=a.txt`);
    expect(file.body).toBe(`${OWN} ${GENERIC}`);
  });

  it("are masked in notices", async () => {
    const notices = [{ level: "warning", code: "x", message: `the key ${GENERIC} is old` }];
    const identity = { loader: "mock", source: { type: "inline" as const, manifest: { notices } as never } };
    const { stream } = await start({ identity });
    expect(jsonOf(await stream.waitFor("ca_notice")).message).toBe("the key [masked:github-token] is old");
  });

  it("are masked when they arrive in pieces, and prose is not held back", async () => {
    const { rig, sessionId, stream } = await start({ options: { includePartials: true } });
    const text = `The quick brown fox says ${OWN} and then ${GENERIC}, which is all it has to say today.`;
    await rig.say(sessionId, `!say ${text}`);
    await stream.waitFor("ca_turn_ended");
    expect(whole(stream)).not.toContain(OWN.slice(0, 12));
    expect(whole(stream)).not.toContain(GENERIC.slice(0, 12));
    expect(deltas(stream)).toMatch(
      /^The quick brown fox says \[masked:[\w-]+\] and then \[masked:github-token\], which is all it has to say today\.$/,
    );
  });

  it("held back in pieces come out when the text is cut by an interrupt", async () => {
    const { rig, sessionId, stream } = await start({ options: { includePartials: true } });
    await rig.say(sessionId, "!stream 100000 30 20");
    await stream.waitFor((frame) => frame.data.includes("text_delta"));
    await rig.request("POST", `/v1/sessions/${sessionId}/interrupt`);
    const ended = await stream.waitFor("ca_turn_ended");
    const shown = deltas(stream);
    expect(shown).toMatch(/^0 the quick brown fox/);
    expect(stream.events().filter(({ id }) => (id ?? 0) > (ended.id ?? 0))).toEqual([]);
  });
});
