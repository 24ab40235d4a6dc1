import type { HarnessClient } from "@computeragent/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Interrupts } from "./interrupts.ts";

const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
afterEach(() => exit.mockClear());

/** Interrupts with a session of a host that is gone; `calls` are what the host would have been told. */
function setUp() {
  const calls: string[] = [];
  const notes: string[] = [];
  const client: HarnessClient = {
    baseUrl: "",
    call: async (name) => {
      calls.push(name);
      throw new Error("the host is gone");
    },
  };
  const interrupts = new Interrupts();
  const attach = () => interrupts.attach({ client, sessionId: "s", note: (text) => notes.push(text) });
  return { calls, notes, interrupts, attach };
}

describe("signals during a run", () => {
  it("Ctrl-C interrupts the turn, then cancels the session, then ends the process", () => {
    const { calls, notes, interrupts, attach } = setUp();
    attach();
    for (const expected of [["interrupt"], ["interrupt", "cancel"], ["interrupt", "cancel"]]) {
      expect(exit).not.toHaveBeenCalled();
      process.emit("SIGINT", "SIGINT");
      expect(calls).toEqual(expected);
    }
    expect(exit).toHaveBeenCalledWith(130);
    expect(notes).toHaveLength(2);
    expect(interrupts.count).toBe(3);
    interrupts[Symbol.dispose]();
    process.once("SIGINT", () => {});
    process.emit("SIGINT", "SIGINT");
    expect(calls).toHaveLength(2);
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("%s cancels the session, and as often as it comes", (signal) => {
    const { calls, interrupts, attach } = setUp();
    attach();
    process.emit(signal, signal);
    process.emit(signal, signal);
    expect(calls).toEqual(["cancel", "cancel"]);
    expect(exit).not.toHaveBeenCalled();
    process.emit("SIGINT", "SIGINT");
    expect(exit).toHaveBeenCalledWith(130);
    interrupts[Symbol.dispose]();
  });

  it("before the session give the start up; a session that came all the same is cancelled", () => {
    const { calls, interrupts, attach } = setUp();
    process.emit("SIGINT", "SIGINT");
    expect(interrupts.givenUp.aborted).toBe(true);
    process.emit("SIGTERM", "SIGTERM");
    expect(exit).not.toHaveBeenCalled();
    attach();
    expect(calls).toEqual(["cancel"]);
    interrupts[Symbol.dispose]();
  });

  it("a second Ctrl-C before the session ends the process", () => {
    const { interrupts } = setUp();
    process.emit("SIGINT", "SIGINT");
    process.emit("SIGINT", "SIGINT");
    expect(exit).toHaveBeenCalledWith(130);
    interrupts[Symbol.dispose]();
  });
});
