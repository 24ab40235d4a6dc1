import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOwned } from "@computeragent/supervisor";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, makeBench } from "./fixtures/bench.ts";
import { script } from "./fixtures/fake-messages.ts";
import type { TestSession } from "./fixtures/test-session.ts";
import { createClaudeAgentEngine } from "./index.ts";

const bash = (command: string) => ({ tools: [{ name: "Bash", input: { command, description: "x" } }] });

describe("the warm pool", { timeout: 90_000 }, () => {
  let bench: Bench;
  let pool: ReturnType<typeof createClaudeAgentEngine>;
  let runtimeDir: string;
  /** Ids of the processes that were parked. */
  const told: string[] = [];
  beforeAll(async () => {
    bench = await makeBench("warm");
    const logger = {
      debug: (fields: object) => {
        if ("spare" in fields) told.push(String(fields.spare));
      },
      warn: () => {},
    };
    runtimeDir = await mkdtemp(join(tmpdir(), "ca-warm-"));
    pool = createClaudeAgentEngine({ supervisor: bench.supervisor, maxRetries: 2, warmPool: true, runtimeDir, logger });
  });
  afterAll(async () => {
    await pool.dispose?.();
    await bench[Symbol.asyncDispose]();
    await rm(runtimeDir, { recursive: true, force: true });
  });

  const session = (overrides = {}): Promise<TestSession> => bench.session(overrides, pool);
  const spares = (): string[] =>
    bench.supervisor.children().flatMap((child) => (child.sessionId.startsWith("spare-") ? [child.sessionId] : []));
  const stateOf = (of: TestSession): string =>
    of.events.flatMap((event) => (event.kind === "state" ? [event.state.engineSessionId] : [])).at(-1) ?? "";
  /** The supervisor's id of the process that is parked after `before` others. */
  const parked = async (before: number): Promise<string> => {
    await expect.poll(() => told.length, { timeout: 60_000 }).toBeGreaterThan(before);
    return `spare-${told[before]}`;
  };

  it("is empty until the first session, then parks one process that the next session takes", async () => {
    expect(spares()).toEqual([]);
    const first = await session({ profile: { instructions: "FIRST-INSTRUCTIONS" } });
    await first.turn(script({ text: "one" }));
    const spare = await parked(0);
    expect(spares()).toEqual([spare]);

    const second = await session({ profile: { instructions: "SECOND-INSTRUCTIONS" } });
    const end = await second.turn(script(bash("env > env.txt; pwd > pwd.txt"), { text: "two" }));
    expect(end).toMatchObject({ reason: "complete" });
    expect(`spare-${stateOf(second)}`).toBe(spare);
    expect(second.calls.map((call) => call.toolName)).toEqual(["Bash"]);
    const { workspace, home, tmp } = second.context;
    const env = await readFile(join(workspace, "env.txt"), "utf8");
    for (const line of [`HOME=${join(home, "user")}`, `TMPDIR=${tmp}`, `CLAUDE_CONFIG_DIR=${join(home, "claude")}`]) {
      expect(env.split("\n")).toContain(line);
    }
    expect((await readFile(join(workspace, "pwd.txt"), "utf8")).trim()).toBe(workspace);
    const request = bench.fake.requests.at(-1);
    expect(request?.headers.authorization).toBe(`Bearer ${second.context.model.access?.token}`);
    const system = JSON.stringify(request?.body.system);
    expect(system.match(/SECOND-INSTRUCTIONS/g)).toHaveLength(1);
    expect(JSON.stringify(request?.body)).not.toContain("FIRST-INSTRUCTIONS");

    const interrupted = second.send(script(bash("sleep 40")));
    await second.asked(2);
    await second.engine.interrupt();
    expect(await second.turnEnd(interrupted)).toMatchObject({ reason: "interrupted" });
    await second.engine.close();
    expect((await findOwned({ hostId: bench.supervisor.hostId, sessionId: spare })).length).toBe(0);
    const resumed = await session({ home, workspace, resume: { engineSessionId: stateOf(second), fork: false } });
    await resumed.turn(script({ text: "three" }));
    expect(JSON.stringify(bench.fake.requests.at(-1)?.body.messages)).toContain("pwd.txt");
  });

  it("sends what a process sends that was started for its session", async () => {
    const shape = (index: number) => {
      const request = bench.fake.requests.at(index);
      // The first block is a checksum that differs from conversation to conversation.
      const system = Array.isArray(request?.body.system) ? request.body.system.slice(1) : undefined;
      return {
        tools: request?.body.tools,
        system,
        beta: request?.headers["anthropic-beta"],
        model: request?.body.model,
      };
    };
    await parked(1);
    const warm = await session({ profile: { instructions: "SAME" } });
    await warm.turn(script({ text: "warm" }));
    const cold = await bench.session({ profile: { instructions: "SAME" } });
    await cold.turn(script({ text: "cold" }));
    expect(bench.supervisor.children(cold.sessionId)).toHaveLength(1);
    expect(bench.supervisor.children(warm.sessionId)).toHaveLength(0);
    expect(shape(-2)).toEqual(shape(-1));
    await warm.engine.close();
  });

  it("starts cold what needs a process of its own, and when the parked one is dead", async () => {
    const spare = await parked(2);
    const own = await session({ envs: { MINE: "1" } });
    await own.turn(script({ text: "own" }));
    expect(bench.supervisor.children(own.sessionId)).toHaveLength(1);
    expect(spares()).toEqual([spare]);

    const next = await session();
    await next.until((event) => event.kind === "state");
    expect(`spare-${stateOf(next)}`).toBe(spare);
    await bench.supervisor.killSession(spare);
    expect(await next.turn(script({ text: "cold" }))).toMatchObject({ reason: "complete" });
    expect(bench.supervisor.children(next.sessionId)).toHaveLength(1);
  });

  it("leaves nothing behind when it is disposed of, or when a session gives a process up", async () => {
    await parked(3);
    const unused = await session();
    await unused.until((event) => event.kind === "state");
    await unused.engine.close();
    expect(spares()).toEqual([]);
    const other = await session();
    await other.turn(script({ text: "x" }));
    await pool.dispose?.();
    await other.engine.close();
    expect(spares()).toEqual([]);
    expect(await readdir(runtimeDir)).toEqual([]);
  });
});
