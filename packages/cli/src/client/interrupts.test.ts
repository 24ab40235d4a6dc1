import type { HarnessClient } from "@computeragent/sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Interrupts } from "./interrupts.ts";

afterEach(() => vi.restoreAllMocks());

describe("Ctrl-C during a run", () => {
  it("interrupts the turn, then cancels the session, then ends the process", () => {
    const calls: string[] = [];
    const client: HarnessClient = {
      baseUrl: "",
      call: async (name) => {
        calls.push(name);
        throw new Error("the host is gone");
      },
    };
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    const notes: string[] = [];
    const interrupts = new Interrupts(client, "s", (text) => notes.push(text));
    for (const expected of [["interrupt"], ["interrupt", "cancel"], ["interrupt", "cancel"]]) {
      process.emit("SIGINT", "SIGINT");
      expect(calls).toEqual(expected);
    }
    expect(exit).toHaveBeenCalledWith(130);
    expect(notes).toHaveLength(2);
    expect(interrupts.count).toBe(3);
    interrupts.stop();
    process.once("SIGINT", () => {});
    process.emit("SIGINT", "SIGINT");
    expect(calls).toHaveLength(2);
  });
});
