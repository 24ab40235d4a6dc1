import type { EngineDriver, EngineEvent } from "@computeragent/protocol";
import { createMockEngine } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { boot } from "../rig.test-support.ts";

const EVENTS = 3_000_000;

/** An engine that heeds nothing and never waits. `told` is how many events it got rid of. */
function flooding(told: { events: number }): EngineDriver {
  const nothing = async (): Promise<void> => {};
  async function* flood(): AsyncGenerator<EngineEvent> {
    for (; told.events < EVENTS; told.events++)
      yield { kind: "message", payload: { type: "assistant", n: told.events } };
  }
  return {
    ...createMockEngine(),
    startSession: () => ({ [Symbol.asyncIterator]: flood, interrupt: nothing, close: nothing, kill: nothing }),
  };
}

describe("an engine that never stops talking", () => {
  it("starves nobody, neither while its session lives nor after it was given up", async () => {
    const told = { events: 0 };
    const rig = await boot({ engine: flooding(told), limits: { stopGraceMs: 100 } });
    const { sessionId } = await rig.create();
    await rig.say(sessionId, "go");
    await expect.poll(() => told.events, { timeout: 20_000 }).toBeGreaterThan(1000);
    expect((await rig.request("GET", "/v1/health")).status).toBe(200);
    expect((await rig.request("POST", `/v1/sessions/${sessionId}/cancel`)).status).toBe(200);
    expect(told.events).toBeLessThan(EVENTS);
    expect((await rig.request("GET", "/v1/health")).body.sessions.live).toBe(0);
    expect(told.events).toBeLessThan(EVENTS);
  });
});
