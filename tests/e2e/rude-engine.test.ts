import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClaudeAgentEngine } from "@computeragent/engine-claude-agent-sdk";
import { createModelBroker, routesFromEnv } from "@computeragent/model-broker";
import { createSupervisor, findOwned } from "@computeragent/supervisor";
import { jsonOf, type OpenStream, openStream } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarnessServer, type HarnessServer } from "../../packages/harness-server/src/index.ts";

const executable = fileURLToPath(
  new URL("../../packages/engine-claude-agent-sdk/src/fixtures/rude-cli.mjs", import.meta.url),
);
const hostId = `rude-host-${process.pid}`;
let dir: string;
let server: HarnessServer;
let url: string;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "ca-rude-"));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  const supervisor = stack.use(await createSupervisor({ hostId }));
  const models = stack.use(await createModelBroker({ routes: routesFromEnv({}) }));
  const maxMessageBytes = 12 * 1024 * 1024;
  server = await createHarnessServer({
    engines: [createClaudeAgentEngine({ supervisor, executable, maxMessageBytes })],
    identityLoaders: [],
    dataDir: join(dir, "data"),
    allowWorkspaces: [dir],
    auth: null,
    models,
    limits: { engineStartMs: 1500, stopGraceMs: 4000 },
  });
  stack.use(server);
  url = (await server.listen({ host: "127.0.0.1", port: 0 })).url;
});
afterAll(() => stack.disposeAsync());

const post = async (path: string, body?: unknown) => {
  const init =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, { method: "POST", ...init });
  return await response.json();
};

/** A session whose CLI has these manners and was sent a message, and its events. */
async function start(how: string, bytes = 0): Promise<{ path: string; id: string; stream: OpenStream }> {
  const { sessionId } = await post("/v1/sessions", {
    engine: "claude-agent-sdk",
    workspace: { type: "local", path: dir },
    envs: { RUDE: how, RUDE_BYTES: String(bytes) },
    messages: [{ role: "user", content: "go" }],
  });
  const path = `/v1/sessions/${sessionId}`;
  return { path, id: sessionId, stream: await openStream(`${url}${path}/events`) };
}

/** The end of a session: told once, at the very end, and no process is left. */
async function expectEnd({ id, stream }: { id: string; stream: OpenStream }, reason: string): Promise<object> {
  await stream.ended;
  const ends = stream.events().filter(({ event }) => event === "ca_session_ended");
  expect(ends).toHaveLength(1);
  expect(stream.events().at(-1)).toBe(ends[0]);
  const end = jsonOf(await stream.waitFor("ca_session_ended"));
  expect(end.reason).toBe(reason);
  await expect.poll(() => findOwned({ hostId, sessionId: id }), { timeout: 20_000 }).toEqual([]);
  return end;
}

describe("a host whose CLI misbehaves", { timeout: 60_000 }, () => {
  it.each([
    ["one_byte", 0],
    ["large", 1_000_000],
    ["large", 10_000_000],
    ["noise", 0],
    ["unknown", 0],
    ["after_result", 0],
    ["flood", 100 * 1024 * 1024],
  ])("by %s (%i bytes) completes the turn", async (how, bytes) => {
    const session = await start(how, bytes);
    expect(jsonOf(await session.stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "complete" });
    await post(`${session.path}/end-input`);
    await expectEnd(session, "complete");
  });

  it.each([
    ["large", 13 * 1024 * 1024, "message_too_large"],
    ["exit_0", 0, "engine_exited"],
    ["exit_1", 0, "engine_exited"],
    ["heir", 0, "engine_exited"],
    ["broken_control", 0, "engine_exited"],
  ])("by %s (%i bytes) loses the turn alone", async (how, bytes, code) => {
    const session = await start(how, bytes);
    expect(jsonOf(await session.stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "error", error: { code } });
    expect((await (await fetch(url + session.path)).json()).status).toBe("idle");
    await post(`${session.path}/cancel`);
    await expectEnd(session, "cancelled");
  });

  it.each([
    ["exit_0_at_once", "permanent", "engine_exited"],
    ["outdated", "permanent", "engine_exited"],
    ["dumb", "transient", "start_timeout"],
  ])("by %s before it said anything ends the session", async (how, errorClass, code) => {
    const session = await start(how);
    expect(await expectEnd(session, "error")).toMatchObject({
      error: { code: "ENGINE_UNAVAILABLE", class: errorClass },
    });
    expect(jsonOf(await session.stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "error", error: { code } });
  });

  it.each([
    ["deaf", "interrupt"],
    ["deaf", "cancel"],
    ["mute", "cancel"],
  ])("by being %s ends by %s all the same", async (how, wish) => {
    const session = await start(how);
    await session.stream.waitFor("sdk_message");
    await post(`${session.path}/${wish}`);
    expect(jsonOf(await session.stream.waitFor("ca_turn_ended"))).toMatchObject({ reason: "interrupted" });
    if (wish !== "cancel") await post(`${session.path}/cancel`);
    await expectEnd(session, "cancelled");
  });
});
