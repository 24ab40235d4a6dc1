import type { EngineContext, EngineDriver, EngineErrorData, EngineEvent, EngineSession } from "@computeragent/protocol";
import { EngineFailure } from "@computeragent/protocol";
import { createMockEngine } from "@computeragent/testing";
import { describe, expect, it, vi } from "vitest";
import { EngineRun } from "./engine-run.ts";

const message: EngineEvent = { kind: "message", payload: { type: "assistant" } };
const call = { callId: "c1", toolName: "Bash", input: {} };

/** A run of an engine made of `parts`; `told` is what the session hears, in order. */
function start(parts: Partial<EngineSession> & { events(): AsyncIterator<EngineEvent> }) {
  const told: (string | EngineErrorData | undefined)[] = [];
  const asked = vi.fn(async () => ({ behavior: "allow" as const, input: {} }));
  let context: EngineContext | undefined;
  const nothing = async (): Promise<void> => {};
  const driver: EngineDriver = {
    ...createMockEngine(),
    startSession: (given) => {
      context = given;
      return { interrupt: nothing, close: nothing, kill: nothing, ...parts, [Symbol.asyncIterator]: parts.events };
    },
  };
  const run = new EngineRun(
    driver,
    { authorize: asked } as unknown as EngineContext,
    {
      event: (event) => void told.push(event.kind),
      late: () => void told.push("late"),
      gone: (error, started) => void told.push(started ? "gone" : "never started", error),
    },
    { startMs: 200, stopGraceMs: 100 },
  );
  return { run, told, asked, authorize: () => context?.authorize(call), signal: context?.signal };
}

const never = new Promise<never>(() => {});

describe("a run of an engine", () => {
  it("is gone only when everything of it is", async () => {
    const { told } = start({
      async *events() {
        yield message;
      },
      close: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        told.push("closed");
      },
    });
    await expect.poll(() => told, { timeout: 5000 }).toEqual(["message", "closed", "gone", undefined]);
  });

  it("that was killed has no say any more", async () => {
    const gate = Promise.withResolvers<void>();
    const { run, told, asked, authorize, signal } = start({
      async *events() {
        yield message;
        await gate.promise;
        yield message;
      },
      kill: () => never,
    });
    await expect.poll(() => told, { timeout: 5000 }).toEqual(["message"]);
    await run.kill();
    expect(signal?.aborted).toBe(true);
    expect(await authorize()).toMatchObject({ behavior: "deny", interrupt: true });
    expect(asked).not.toHaveBeenCalled();
    expect(run.push({ turnId: "t", messageIds: [], messages: [], delivery: "steer" })).toBe(false);
    gate.resolve();
    await expect.poll(() => told, { timeout: 5000 }).toEqual(["message", "late"]);
  });

  it("is stopped in time whatever close and kill do", async () => {
    for (const close of [() => never, () => Promise.reject(new Error("no"))]) {
      const kill = vi.fn(async () => {
        throw new Error("no");
      });
      const { run } = start({ events: () => ({ next: () => never }), close, kill });
      await run.stop();
      expect(kill).toHaveBeenCalledOnce();
    }
    const synchronous = start({
      events: () => ({ next: () => never }),
      close: () => {
        throw new Error("no");
      },
    });
    await synchronous.run.stop();
    synchronous.run.interrupt();
  });

  it("that fails tells how, foreign errors as permanent", async () => {
    const failing = (error: unknown) =>
      start({
        events: () => ({ next: () => Promise.reject(error) }),
      });
    const typed = failing(new EngineFailure({ class: "limited", message: "later", until: "2030-01-01T00:00:00Z" }));
    const foreign = failing(new TypeError("a bug"));
    const odd = failing("a text");
    await expect
      .poll(() => [typed.told, foreign.told, odd.told], { timeout: 5000 })
      .toEqual([
        ["never started", { class: "limited", message: "later", until: "2030-01-01T00:00:00Z" }],
        ["never started", { class: "permanent", message: "a bug" }],
        ["never started", { class: "permanent", message: "a text" }],
      ]);
  });

  it("that does not start in time is killed first, and told of once", async () => {
    const { told } = start({
      events: () => ({ next: () => never }),
      kill: async () => void told.push("killed"),
    });
    await expect.poll(() => told.length, { timeout: 5000 }).toBe(3);
    expect(told).toEqual(["killed", "never started", expect.objectContaining({ code: "start_timeout" })]);
  });
});
