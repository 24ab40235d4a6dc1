import { PassThrough } from "node:stream";
import type { PermissionRequestData } from "@computeragent/protocol";
import type { StreamItem } from "@computeragent/sdk";
import { describe, expect, it } from "vitest";
import { askPermission } from "./permission-prompt.ts";
import { Printer } from "./printer.ts";
import { describeCall, oneLine, printable, wrapped } from "./summary.ts";

describe("a tool call in one line", () => {
  it.each([
    ["Bash", { command: "ls\n-la", description: "lists" }, "Bash ls -la"],
    ["Write", { file_path: "/a", content: "x" }, "Write /a"],
    ["mcp__x__y", { n: 1 }, 'mcp__x__y {"n":1}'],
    ["Nothing", {}, "Nothing"],
  ])("%s %j", (name, input, line) => expect(describeCall(name, input)).toBe(line));

  it("names what lies in the agent's folder from there, and everything else in full", () => {
    expect(describeCall("Read", { file_path: "/w/a/b" }, "/w")).toBe("Read a/b");
    expect(describeCall("Read", { file_path: "/wide/a" }, "/w")).toBe("Read /wide/a");
    expect(describeCall("Bash", { command: "/w/run" }, "/w")).toBe("Bash /w/run");
  });

  it("cannot steer a terminal", () => {
    expect(printable("a\u001b[2Jb\u0007c\u202ed\te\nf")).toBe("a[2Jbcd\te\nf");
    expect(oneLine(`x${"y".repeat(500)}`)).toHaveLength(160);
  });
});

it("breaks words into lines that fit, and leaves out none", () => {
  const words = Array.from({ length: 60 }, (_, i) => "w".repeat(1 + (i % 9))).join(" ");
  const lines = wrapped(words, 4).split("\n");
  expect(lines.every((line) => line.length <= 80 && line.startsWith("    w"))).toBe(true);
  expect(lines.map((line) => line.trim()).join(" ")).toBe(words);
});

const item = (type: string, data: object): StreamItem => ({ id: 0, type, data }) as unknown as StreamItem;
const message = (data: object): StreamItem => item("sdk_message", data);

function printed(items: readonly StreamItem[]): { out: string; err: string } {
  const seen = { out: "", err: "" };
  const out = new PassThrough();
  const err = new PassThrough();
  out.on("data", (chunk) => (seen.out += String(chunk)));
  err.on("data", (chunk) => (seen.err += String(chunk)));
  const printer = new Printer({ out, err });
  for (const one of items) printer.show(one);
  printer.finish();
  return seen;
}

describe("Printer", () => {
  const delta = (text: string) =>
    message({ type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text } } });
  const assistant = (...content: object[]) => message({ type: "assistant", message: { content } });

  it("shows streamed text once, and whole texts where nothing was streamed", () => {
    const { out } = printed([
      delta("hel"),
      delta("lo"),
      assistant({ type: "text", text: "hello" }),
      assistant({ type: "text", text: "again" }),
    ]);
    expect(out).toBe("hello\nagain\n");
  });

  it("shows tool calls, also of sub-agents, but not the sub-agents' text", () => {
    const { out, err } = printed([
      delta("text"),
      assistant({ type: "tool_use", name: "Bash", input: { command: "ls" } }),
      message({
        type: "assistant",
        parent_tool_use_id: "t",
        message: {
          content: [
            { type: "text", text: "inner" },
            { type: "tool_use", name: "Read", input: { file_path: "/x" } },
          ],
        },
      }),
    ]);
    expect(out).toBe("text\n");
    expect(err).toBe("-> Bash ls\n  -> Read /x\n");
  });

  it("tells paths from the engine's folder, repeated calls, and a failed call once", () => {
    const { out, err } = printed([
      message({ type: "system", subtype: "init", cwd: "/place" }),
      message({ type: "system", subtype: "api_retry", attempt: 1, max_retries: 5, error_status: 529 }),
      assistant({ type: "tool_use", name: "Read", input: { file_path: "/place/x" } }),
      message({
        type: "assistant",
        is_api_error_message: true,
        message: { content: [{ type: "text", text: "down" }] },
      }),
      item("ca_turn_ended", { error: { class: "transient", message: "down" } }),
    ]);
    expect(out).toBe("");
    expect(err).toBe("a model call failed (529); trying again, 1 of 5\n-> Read x\nerror (transient): down\n");
  });

  it("shows notices, resolutions, errors and gaps, and survives shapes that it does not know", () => {
    const { err } = printed([
      item("ca_notice", { level: "warning", message: "careful" }),
      item("ca_permission_resolved", { decision: "deny", reason: "no" }),
      item("ca_turn_ended", { error: { class: "limited", message: "later" } }),
      item("ca_replay_gap", {}),
      item("ca_turn_started", {}),
      message({ type: "assistant", message: "odd" }),
      message({ type: "stream_event", event: [] }),
    ]);
    expect(err).toBe(
      "warning: careful\npermission: deny (no)\nerror (limited): later\nwarning: some events are no longer kept and were skipped\n",
    );
  });
});

describe("askPermission", () => {
  const request: PermissionRequestData = {
    callId: "c",
    toolName: "Write",
    input: { file_path: "/a" },
    risk: "medium",
    expiresAt: "",
  };
  const ask = (typed: string, signal = new AbortController().signal, end = false) => {
    const input = new PassThrough();
    const output = new PassThrough();
    output.resume();
    const answer = askPermission(request, { input, output }, signal);
    input.write(typed);
    if (end) input.end();
    return answer;
  };

  it.each([
    ["a\n", { decision: "allow" }],
    ["S\n", { decision: "allow", scope: "session" }],
    ["what\nd\nnot now\n", { decision: "deny", reason: "not now" }],
    ["d\n\n", { decision: "deny", reason: "denied by the user" }],
    ['m\n[1]\nm\n{"file_path":"/b"}\n', { decision: "modify", input: { file_path: "/b" } }],
  ])("%j", async (typed, decision) => expect(await ask(typed)).toEqual(decision));

  it("takes the end of the input as a denial, and stops when it is answered elsewhere", async () => {
    expect(await ask("", undefined, true)).toMatchObject({ decision: "deny" });
    const abort = new AbortController();
    const asked = ask("", abort.signal);
    abort.abort(new Error("answered elsewhere"));
    await expect(asked).rejects.toThrow("answered elsewhere");
    await expect(ask("a\n", AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  });
});
