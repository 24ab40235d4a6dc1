import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineFailure, type EngineState } from "@computeragent/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script, textOf } from "./fixtures/fake-messages.ts";
import type { TestSession } from "./fixtures/test-session.ts";

const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command, description: "x" } }] });

describe("life of a session", { timeout: 60_000 }, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench("life");
  });
  afterAll(() => bench[Symbol.asyncDispose]());

  const stateOf = (session: TestSession): EngineState => {
    const states = session.events.flatMap((event) => (event.kind === "state" ? [event.state] : []));
    return states.at(-1) ?? { engineSessionId: "" };
  };
  const said = (): string[] =>
    (bench.fake.requests.at(-1)?.body.messages ?? [])
      .filter((message) => message.role === "assistant")
      .map((message) => textOf(message.content));
  const failureOf = async (session: TestSession) => {
    const error = await session.ended;
    expect(error).toBeInstanceOf(EngineFailure);
    return error instanceof EngineFailure ? error.error : undefined;
  };

  it("says its state first, and spawns nothing before the host has taken it and an input is there", async () => {
    const session = await bench.session();
    await session.until((event) => event.kind === "state");
    await sleep(200);
    expect(session.events).toMatchObject([
      { kind: "state", state: { engineSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) } },
    ]);
    expect(bench.supervisor.children(session.sessionId)).toEqual([]);
    session.endInput();
    expect(await session.ended).toBeUndefined();
  });

  it("goes on after the CLI was killed in a command, with one copy of the history", async () => {
    const session = await bench.session();
    await session.turn(script({ text: "remembered" }));
    const turnId = session.send(script(bash("sleep 30"), { text: "never" }));
    await session.asked();
    const [child] = bench.supervisor.children(session.sessionId);
    process.kill(child?.pid ?? 0, "SIGKILL");
    expect(await session.turnEnd(turnId)).toMatchObject({
      reason: "error",
      error: { class: "transient", message: expect.stringContaining("SIGKILL") },
    });
    expect(await session.turn(script({ text: "back" }))).toMatchObject({ reason: "complete" });
    expect(said().filter((text) => text === "remembered")).toHaveLength(1);
    expect(
      new Set(session.events.flatMap((event) => (event.kind === "state" ? [event.state.engineSessionId] : []))).size,
    ).toBe(1);
  });

  it("is resumed by another host from state, home and workspace, and forked from a copy", async () => {
    const first = await bench.session();
    await first.turn(script({ text: "from the first life" }));
    await first.engine.close();
    const { home, workspace } = first.context;
    const second = await bench.session({ home, workspace, resume: { ...stateOf(first), fork: false } });
    expect(await second.turn(script({ text: "second life" }))).toMatchObject({ reason: "complete" });
    expect(said().filter((text) => text === "from the first life")).toHaveLength(1);
    expect(stateOf(second)).toEqual(stateOf(first));
    await second.engine.close();

    const copy = join(bench.root, "copy");
    await cp(home, copy, { recursive: true });
    const forked = await bench.session({ home: copy, resume: { ...stateOf(second), fork: true } });
    await forked.until((event) => event.kind === "state");
    expect(stateOf(forked)).toEqual(stateOf(first));
    expect(await forked.turn(script({ text: "in the fork" }))).toMatchObject({ reason: "complete" });
    expect(said()).toContain("second life");
    expect(stateOf(forked)).not.toEqual(stateOf(first));
    await forked.engine.close();
    const resumed = await bench.session({
      home: copy,
      workspace: forked.context.workspace,
      resume: { ...stateOf(forked), fork: false },
    });
    await resumed.turn(script({ text: "fork again" }));
    expect(said().filter((text) => text === "in the fork")).toHaveLength(1);
  });

  it("begins anew, and says so, when there is nothing to resume", async () => {
    const engineSessionId = crypto.randomUUID();
    const session = await bench.session({ resume: { engineSessionId, fork: false } });
    expect(await session.turn(script({ text: "new" }))).toMatchObject({ reason: "complete" });
    expect(stateOf(session)).toEqual({ engineSessionId });
    expect(session.events).toContainEqual({
      kind: "notice",
      notice: expect.objectContaining({ code: "history_missing" }),
    });
  });

  it("follows a conversation that the user clears", async () => {
    const session = await bench.session();
    await session.turn(script({ text: "forget me" }));
    const before = stateOf(session);
    expect(await session.turn("/clear")).toMatchObject({ reason: "complete" });
    expect(stateOf(session)).not.toEqual(before);
    await session.engine.close();
    const { home, workspace } = session.context;
    const resumed = await bench.session({ home, workspace, resume: { ...stateOf(session), fork: false } });
    await resumed.turn(script({ text: "fresh" }));
    expect(said()).not.toContain("forget me");
  });

  it("leaves no process after close, whatever was running", async () => {
    const session = await bench.session();
    session.send(script(bash("sleep 60 & setsid sleep 61 & nohup sleep 62 & wait"), { text: "never" }));
    await session.asked();
    await expect.poll(async () => (await bench.owned(session)).length, { timeout: 10_000 }).toBeGreaterThan(3);
    await session.engine.close();
    expect(await bench.owned(session)).toEqual([]);
    expect(await session.ended).toBeUndefined();
    await session.engine.close();
    await session.engine.kill();
  });

  it("stops when its signal is aborted, and when it is killed", async () => {
    const aborted = await bench.session();
    aborted.send(script(bash("sleep 60")));
    await aborted.asked();
    aborted.abort.abort();
    expect(await aborted.ended).toBeUndefined();
    expect(await bench.owned(aborted)).toEqual([]);
    const killed = await bench.session();
    killed.send(script(bash("sleep 60")));
    await killed.asked();
    await killed.engine.kill();
    expect(await killed.ended).toBeUndefined();
    expect(await bench.owned(killed)).toEqual([]);
  });

  it.each([
    { executable: "/nonexistent/claude", code: "engine_not_started", class: "permanent" },
    { executable: "/bin/false", code: "engine_exited", class: "permanent" },
    { executable: "/bin/true", code: "engine_exited", class: "permanent" },
  ])("fails with a reason when $executable is the CLI", async ({ executable, ...expected }) => {
    const session = await bench.session({}, { executable });
    session.send("hello");
    expect(await failureOf(session)).toMatchObject(expected);
  });

  it("fails when the CLI never answers", async () => {
    const silent = join(import.meta.dirname, "fixtures", "silent-cli.sh");
    const session = await bench.session({}, { executable: silent, startTimeoutMs: 500 });
    session.send("hello");
    expect(await failureOf(session)).toMatchObject({ code: "start_timeout", class: "transient" });
    expect(await bench.owned(session)).toEqual([]);
  });

  it("fails without a workspace and without a model", async () => {
    const homeless = await bench.session({ workspace: join(bench.root, "gone") });
    homeless.send("hello");
    expect(await failureOf(homeless)).toMatchObject({ code: "workspace_missing" });
    const modelless = await bench.session({ model: { fallbacks: [] } });
    modelless.send("hello");
    expect(await failureOf(modelless)).toMatchObject({ code: "no_model_route" });
  });

  it("tells a failed restart as the end of a turn", async () => {
    const workspace = join(bench.root, "vanishing");
    await mkdir(workspace);
    const session = await bench.session({ workspace });
    await session.turn(script({ text: "one" }));
    const [child] = bench.supervisor.children(session.sessionId);
    process.kill(child?.pid ?? 0, "SIGKILL");
    await expect.poll(() => bench.supervisor.children(session.sessionId).length, { timeout: 10_000 }).toBe(0);
    await sleep(200);
    await rm(workspace, { recursive: true });
    expect(await session.turn("two")).toMatchObject({ reason: "error", error: { code: "workspace_missing" } });
    await mkdir(workspace);
    expect(await session.turn(script({ text: "three" }))).toMatchObject({ reason: "complete" });
  });
});
