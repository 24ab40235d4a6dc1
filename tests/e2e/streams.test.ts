import { eventually, jsonOf, openRawReader, openStream } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostProcess, startHost } from "./host-process.ts";

let host: HostProcess;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host[Symbol.asyncDispose]());

describe("streams of the real engine", () => {
  it("resumes in mid-stream from Last-Event-ID: every event once, in order, for three readers beside a stalled one", async () => {
    const id = await host.create({ permissionMode: "auto", options: { includePartials: true } });
    const url = `${host.url}/v1/sessions/${id}/events`;
    const headers = { authorization: `Bearer ${host.token}` };
    const stalled = await openRawReader(url, { headers, stalled: true });
    const [one, two] = await Promise.all([openStream(url, { headers }), openStream(url, { headers })]);
    await host.say(id, "!stream 600 2000 1\n!say end");
    await one.waitFor((f) => (f.id ?? 0) > 200);
    one.close();
    await one.ended;
    const cut = Number(one.events().at(-1)?.id);
    const again = await openStream(url, { headers, after: cut });
    await again.waitFor("ca_turn_ended");
    await two.waitFor("ca_turn_ended");
    const joined = [...one.events(), ...again.events()].map((e) => e.id);
    expect(joined).toEqual(joined.map((_, i) => i));
    expect(again.events().map((e) => e.data)).toEqual(
      two
        .events()
        .slice(cut + 1)
        .map((e) => e.data),
    );
    const health = await fetch(`${host.url}/v1/health`);
    expect(health.status).toBe(200);
    stalled.destroy();
    await host.client.call("deleteSession", { sessionId: id });
  });

  it("stops the agent of a chat whose client went away", async () => {
    const abort = new AbortController();
    const response = await host.client.call("chat", {
      body: {
        engine: "claude-agent-sdk",
        workspace: { type: "local", path: host.workspace },
        permissionMode: "auto",
        messages: [{ role: "user", content: "!bash sleep 721\n!say never" }],
      },
      signal: abort.signal,
    });
    const id = String(response.headers.get("x-session-id"));
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("sleep 721")) text += new TextDecoder().decode((await reader?.read())?.value);
    await eventually(20_000, "the command to run", async () => (await host.running("sleep 721")) > 0);
    abort.abort();
    await eventually(15_000, "the agent to be gone", async () => (await host.running("sleep 721")) === 0);
    await eventually(10_000, "the session to be cancelled", async () => {
      return (await host.client.call("getSession", { sessionId: id })).ended?.reason === "cancelled";
    });
  });

  it("keeps a chat alive for a client that comes back through the events", async () => {
    const abort = new AbortController();
    const response = await host.client.call("chat", {
      body: {
        engine: "claude-agent-sdk",
        workspace: { type: "local", path: host.workspace },
        permissionMode: "auto",
        messages: [{ role: "user", content: "!bash sleep 5\n!say came back" }],
      },
      signal: abort.signal,
    });
    const id = String(response.headers.get("x-session-id"));
    const first = new TextDecoder().decode((await response.body?.getReader().read())?.value);
    expect(first).toContain(id);
    abort.abort();
    const stream = await host.events(id);
    await stream.ended;
    expect(jsonOf(stream.events().at(-1) as never)).toMatchObject({
      reason: "complete",
      final: { result: "came back" },
    });
  });
});
