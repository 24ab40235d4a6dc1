import { describe, expect, it } from "vitest";
import { claude, Rig } from "./claude.test-support.ts";
import { planChange } from "./plan.ts";

const tasks = [{ id: "1", text: "Measure", status: "pending" as const, active: "Measuring" }];
const call = (name: string, input = {}) => ({ name, input });

describe("a plan", () => {
  it("of a sub-agent is its own, and known from what it asked for", () => {
    const rig = new Rig();
    const sub = { parent_tool_use_id: "toolu_agent" };
    const todos = [{ content: "Look", status: "in_progress", activeForm: "Looking" }];
    rig.claude(claude.assistant("m", [claude.call("t", "TodoWrite", { todos })], sub));
    const events = rig.claude(claude.user([claude.result("t", "ok")], sub));
    const steps = [{ text: "Look", status: "in_progress", active: "Looking" }];
    expect(events.at(-1)).toEqual({ event: "plan.updated", items: steps, parent: "toolu_agent" });
    expect(rig.conversation.plan).toEqual([]);
    expect(rig.conversation.items.at(-1)).toMatchObject({ type: "plan", steps, parent: "toolu_agent" });
  });

  it("has one item a turn", () => {
    const rig = new Rig();
    const write = (id: string, content: string) => [
      claude.assistant("m", [claude.call(id, "TodoWrite", { todos: [{ content }] })]),
      claude.user([claude.result(id, "ok")]),
    ];
    rig.claude(...write("a", "first"), ...write("b", "second"));
    const plans = rig.conversation.items.filter(({ type }) => type === "plan");
    expect(plans).toEqual([
      { id: "plan.updated:3:1", turnId: "turn_1", type: "plan", steps: [{ text: "second", status: "pending" }] },
    ]);
  });

  it("of tasks takes the id of a new one from the text when nothing else tells it", () => {
    const change = planChange(tasks, call("TaskCreate", { subject: "Report" }), {}, "Task #12 created successfully");
    expect(change?.tasks?.at(-1)).toEqual({ id: "12", text: "Report", status: "pending" });
    expect(planChange(tasks, call("TaskCreate", { subject: "x" }), {}, "no number")?.tasks).toBe(tasks);
  });

  it("of tasks follows updates, and forgets what is deleted", () => {
    const input = { taskId: "1", status: "completed", subject: "Measure twice" };
    expect(planChange(tasks, call("TaskUpdate", input), { success: true }, "")?.items).toEqual([
      { text: "Measure twice", status: "completed", active: "Measuring" },
    ]);
    expect(planChange(tasks, call("TaskUpdate", { taskId: "1", status: "deleted" }), {}, "")?.items).toEqual([]);
    expect(planChange(tasks, call("TaskUpdate", input), { success: false }, "")).toBeUndefined();
  });

  it("of tasks is what Claude lists", () => {
    const listed = { tasks: [{ id: "1", subject: "Measure", status: "in_progress" }, { id: "2" }, {}] };
    expect(planChange(tasks, call("TaskList"), listed, "")?.tasks).toEqual([
      { id: "1", text: "Measure", status: "in_progress", active: "Measuring" },
      { id: "2", text: "", status: "pending" },
    ]);
    expect(planChange(tasks, call("TaskList"), {}, "")).toBeUndefined();
  });

  it("is none for other tools", () => {
    expect(planChange(tasks, call("Bash"), {}, "Task #1")).toBeUndefined();
  });
});
