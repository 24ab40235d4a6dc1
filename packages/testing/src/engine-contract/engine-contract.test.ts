import type { EngineContext, EngineDriver } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { createMockEngine } from "../mock-engine/create-mock-engine.ts";
import { engineContract } from "./engine-contract.ts";

const mock = createMockEngine();
const broken = (change: (context: EngineContext<object>) => Partial<EngineContext<object>>): EngineDriver => ({
  ...mock,
  startSession: (context) =>
    mock.startSession({ ...context, options: {}, ...change(context as EngineContext<object>) }),
});

/** Each faulty engine must fail the named case. */
const faulty: Record<string, EngineDriver> = {
  "engine.turn.one-end": createMockEngine({ misbehave: "late_events" }),
  "engine.turn.effects": createMockEngine({ misbehave: "exit_early" }),
  "engine.turn.max-turns": broken(() => ({ maxTurns: 1000 })),
  "engine.authorize.first": broken(() => ({ authorize: async ({ input }) => ({ behavior: "allow", input }) })),
  "engine.authorize.deny": broken(() => ({ authorize: async ({ input }) => ({ behavior: "allow", input }) })),
  "engine.authorize.modify": broken(({ authorize }) => ({
    authorize: async (call) => ({ ...(await authorize(call)), behavior: "allow", input: call.input }),
  })),
  "engine.message.partials": broken(() => ({ includePartials: false })),
  "engine.turn.environment": broken(() => ({ envs: { HOST: process.env.CA_CONTRACT_HOST_SECRET ?? "" } })),
};

describe("the suite notices", () => {
  it.each(Object.entries(faulty))("%s", async (id, driver) => {
    const found = engineContract(() => ({ driver }), mock.capabilities).find((c) => c.id === id);
    await expect(found?.run()).rejects.toThrow();
  });

  it("asks for no more than an engine can", () => {
    const ids = engineContract(() => ({ driver: mock }), []).map((c) => c.id);
    expect(ids).not.toContain("engine.interrupt.command");
    expect(ids).toContain("engine.turn.one-end");
  });
});
