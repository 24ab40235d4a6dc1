import { describe, expect, it } from "vitest";
import { claude, Rig } from "./claude.test-support.ts";
import { toolKind, toolPaths } from "./tools.ts";

const tools = (rig: Rig) =>
  rig.conversation.items.flatMap((item) => (item.type === "tool" ? [[item.id, item.output, item.state]] : []));

describe("tool calls", () => {
  it("may run beside each other, and end in any order", () => {
    const rig = new Rig();
    rig.claude(
      claude.assistant("m", [claude.call("a", "Read", { file_path: "/w/a" })]),
      claude.assistant("m", [claude.call("b", "Bash", { command: "false" })]),
    );
    expect(tools(rig)).toEqual([
      ["a", "", "running"],
      ["b", "", "running"],
    ]);
    rig.claude(claude.user([claude.result("b", "Exit code 1", true)]), claude.user([claude.result("a", "text")]));
    expect(tools(rig)).toEqual([
      ["a", "text", "completed"],
      ["b", "Exit code 1", "failed"],
    ]);
  });

  it("may have their results in one message, whose details then belong to none", () => {
    const rig = new Rig();
    const write = (id: string) => claude.call(id, "Write", { file_path: `/w/${id}`, content: "" });
    rig.claude(claude.assistant("m", [write("a"), write("b")]));
    const results = [claude.result("a", "File created successfully"), claude.result("b", "The file was updated")];
    const details = { type: "update", filePath: "/w/elsewhere", structuredPatch: [], originalFile: "" };
    expect(rig.claude(claude.user(results, { tool_use_result: details }))).toMatchObject([
      { event: "tool.completed", callId: "a" },
      { event: "file.changed", callId: "a", path: "/w/a", change: "create" },
      { event: "tool.completed", callId: "b" },
      { event: "file.changed", callId: "b", path: "/w/b", change: "modify" },
    ]);
  });

  it("that ran at the model's side have their result in the answer", () => {
    const rig = new Rig();
    const failed = { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" };
    rig.claude(
      claude.assistant("m", [{ ...claude.call("s", "web_search", { query: "x" }), type: "server_tool_use" }]),
      claude.assistant("m", [{ type: "web_search_tool_result", tool_use_id: "s", content: failed }]),
    );
    expect(tools(rig)).toEqual([["s", "", "failed"]]);
  });

  it("without a result are interrupted when their turn ends, also when Claude says so later", () => {
    const rig = new Rig();
    rig.claude(claude.assistant("m", [claude.call("a", "Bash", { command: "sleep 99" })]));
    rig.endTurn("owner_lost");
    expect(tools(rig)).toEqual([["a", "", "interrupted"]]);
    rig.claude(claude.user([claude.result("a", [{ type: "text", text: "[Tool call interrupted: unknown]" }], true)]));
    expect(tools(rig)).toEqual([["a", "[Tool call interrupted: unknown]", "interrupted"]]);
  });

  it("whose start was not seen are shown without a name", () => {
    const rig = new Rig();
    rig.claude(claude.user([claude.result("x", "result")]));
    expect(rig.conversation.items.at(-1)).toMatchObject({ type: "tool", id: "x", name: "", output: "result" });
  });

  it("are refused by the program itself, too", () => {
    const rig = new Rig();
    rig.claude(claude.assistant("m", [claude.call("a", "Bash", { command: "x" })]));
    const meta = { tool_result_meta: [{ id: "a", non_execution_kind: "automode-blocked" }] };
    rig.claude(claude.user([claude.result("a", "no", true)], meta));
    expect(tools(rig)).toEqual([["a", "no", "denied"]]);
  });
});

describe("names and inputs", () => {
  it.each([
    ["Read", "read"],
    ["NotebookEdit", "write"],
    ["Bash", "execute"],
    ["WebFetch", "network"],
    ["AskUserQuestion", "interaction"],
    ["mcp__files__read", "other"],
    ["constructor", "other"],
  ])("%s is of kind %s", (name, kind) => {
    expect(toolKind(name)).toBe(kind);
  });

  it("tell the paths", () => {
    expect(toolPaths({ file_path: "/a", path: "b", notebook_path: "", other: "/c" })).toEqual(["/a", "b"]);
  });
});
