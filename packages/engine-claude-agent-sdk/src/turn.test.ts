import { describe, expect, it } from "vitest";
import { Turn } from "./turn.ts";

const lifecycle = (command_uuid: string, state: string) => ({ type: "command_lifecycle", command_uuid, state });
const step = (id: string, parent: string | null = null) => ({
  type: "assistant",
  message: { id },
  parent_tool_use_id: parent,
});
const toolResult = { type: "user", parent_tool_use_id: null };

describe("Turn", () => {
  it("is settled when a result names all of its messages", () => {
    const turn = new Turn("t");
    turn.sent("a");
    turn.sent("b");
    expect(turn.observe({ type: "result", user_message_uuids: ["a"] })).toBe(true);
    expect(turn.settled).toBe(false);
    turn.observe({ type: "result", user_message_uuids: ["b"] });
    expect(turn.settled).toBe(true);
  });

  it("takes a result that names nothing for the end of everything", () => {
    const turn = new Turn("t");
    turn.sent("a");
    turn.observe({ type: "result" });
    expect(turn.settled).toBe(true);
  });

  it("may be over when its messages are cancelled before any result", () => {
    const turn = new Turn("t");
    turn.sent("a");
    expect(turn.observe(lifecycle("other", "cancelled"))).toBe(false);
    expect(turn.observe(lifecycle("a", "queued"))).toBe(false);
    expect(turn.observe(lifecycle("a", "cancelled"))).toBe(true);
    expect(turn.settled).toBe(true);
  });

  it("is reached by the first sign of its message, or by its end", async () => {
    const taken = new Turn("t");
    taken.sent("a");
    taken.observe(lifecycle("a", "queued"));
    await taken.reached;
    const over = new Turn("t");
    over.sent("a");
    over.over();
    await over.reached;
    expect(over.settled).toBe(true);
  });

  it("counts the steps of the main conversation, and only after a result", () => {
    const turn = new Turn("t");
    turn.sent("a");
    turn.sent("b");
    for (const message of [step("m1"), step("m1"), step("s", "toolu_1"), step("m2")]) turn.observe(message);
    expect(turn.exceeds(2, toolResult)).toBe(false);
    turn.observe({ type: "result", user_message_uuids: ["a"] });
    expect(turn.exceeds(3, toolResult)).toBe(false);
    expect(turn.exceeds(2, step("m2"))).toBe(false);
    expect(turn.exceeds(2, toolResult)).toBe(true);
    expect(turn.exceeds(undefined, toolResult)).toBe(false);
    turn.observe({ type: "result", user_message_uuids: ["b"] });
    expect(turn.exceeds(2, { type: "result" })).toBe(false);
  });
});
