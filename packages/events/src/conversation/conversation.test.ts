import { describe, expect, it } from "vitest";
import type { NormalizedBody } from "../normalized-event.ts";
import type { Conversation } from "./conversation.ts";
import { reduceConversation, replayConversation } from "./reduce-conversation.ts";
import { withUserMessage } from "./user-messages.ts";

const USAGE = { input_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 2 };
const start = (turnId: string, ...messageIds: string[]): NormalizedBody => ({
  event: "turn",
  state: "started",
  turnId,
  messageIds,
});
const end = (turnId: string, ...messageIds: string[]): NormalizedBody => ({
  event: "turn",
  state: "ended",
  turnId,
  messageIds,
  reason: "complete",
  usage: USAGE,
});
const says = (itemId: string): NormalizedBody => ({ event: "message.delta", itemId, text: itemId });

function next(conversation: Conversation, ...bodies: NormalizedBody[]): Conversation {
  let seq = conversation.cursor?.seq ?? -1;
  return bodies.reduce((state, body) => reduceConversation(state, { ...body, seq: ++seq, sub: 0 }), conversation);
}
const empty = replayConversation([]);
const order = ({ items }: Conversation) =>
  items.map((item) => [item.id, item.turnId, item.type === "user" ? item.text : item.type]);

describe("what the user said", () => {
  it("stands at the head of its turn, whenever its text becomes known", () => {
    const early = next(withUserMessage(empty, { messageId: "m1", text: "hi" }), start("t1", "m1"), says("a"));
    const late = withUserMessage(next(empty, start("t1", "m1"), says("a")), { messageId: "m1", text: "hi" });
    const expected = [
      ["m1", "t1", "hi"],
      ["a", "t1", "message"],
    ];
    expect(order(early)).toEqual(expected);
    expect(order(late)).toEqual(expected);
    expect(withUserMessage(late, { messageId: "m1", text: "hi" })).toBe(late);
  });

  it("waits at the end while it is queued", () => {
    let conversation = next(empty, start("t1", "m1"), says("a"));
    conversation = withUserMessage(conversation, { messageId: "m2", text: "then" });
    conversation = next(conversation, says("b"));
    expect(order(conversation).slice(1)).toEqual([
      ["a", "t1", "message"],
      ["m2", null, "then"],
      ["b", "t1", "message"],
    ]);
    conversation = next(conversation, end("t1", "m1"), start("t2", "m2"));
    expect(order(conversation).slice(1)).toEqual([
      ["a", "t1", "message"],
      ["b", "t1", "message"],
      ["m2", "t2", "then"],
    ]);
  });

  it("joins the running turn where it was steered in", () => {
    let conversation = withUserMessage(next(empty, start("t1", "m1")), { messageId: "m2", text: "also" });
    conversation = next(conversation, says("a"), end("t1", "m1", "m2"));
    expect(order(conversation)).toEqual([
      ["m1", "t1", null],
      ["m2", "t1", "also"],
      ["a", "t1", "message"],
    ]);
    expect(conversation.turns).toMatchObject([{ messageIds: ["m1", "m2"], state: "complete", usage: USAGE }]);
  });
});

describe("the status", () => {
  const asked: NormalizedBody = {
    event: "permission",
    state: "requested",
    callId: "c",
    toolName: "Bash",
    input: {},
    risk: "high",
    title: "May I?",
    agentId: "agent",
    expiresAt: "",
    compliance: { framework: "f" },
  };

  it("follows turns, questions and the end", () => {
    const running = next(empty, start("t1"));
    const waiting = next(running, asked);
    const decided = next(waiting, {
      event: "permission",
      state: "resolved",
      callId: "c",
      decision: "expired",
      by: "expiry",
    });
    const idle = next(decided, end("t1"));
    const ended = next(idle, { event: "session", state: "ended", reason: "shutdown" }, asked);
    expect([empty, running, waiting, decided, idle, ended].map(({ status }) => status)).toEqual([
      "idle",
      "running",
      "waiting_permission",
      "running",
      "idle",
      "ended",
    ]);
    expect(waiting.pending).toMatchObject([{ title: "May I?", agentId: "agent", compliance: { framework: "f" } }]);
    expect(ended).toMatchObject({ pending: [], ended: { reason: "shutdown" } });
  });

  it("leaves nothing to answer when the session ends", () => {
    const ended = next(empty, start("t1"), asked, { event: "session", state: "ended", reason: "deleted" });
    expect(ended).toMatchObject({ status: "ended", pending: [] });
  });
});

describe("tools", () => {
  const started: NormalizedBody = {
    event: "tool.started",
    callId: "c",
    name: "shell",
    kind: "execute",
    paths: [],
    input: { command: "make" },
  };
  const output = (text: string): NormalizedBody => ({ event: "tool.output", callId: "c", text });

  it("show their output as it comes, and then the whole", () => {
    const running = next(empty, started, output("one\n"), output("two\n"));
    expect(running.items[0]).toMatchObject({ output: "one\ntwo\n", state: "running" });
    const done = next(running, { event: "tool.completed", callId: "c", isError: false, text: "all" }, output("late"));
    expect(done.items[0]).toMatchObject({ output: "all", state: "completed" });
  });

  it("that were decided on before they are shown know the decision", () => {
    const decided: NormalizedBody = { event: "permission", state: "resolved", callId: "c", decision: "deny", by: "me" };
    const request: NormalizedBody = {
      event: "permission",
      state: "requested",
      callId: "c",
      toolName: "shell",
      input: {},
      risk: "low",
      expiresAt: "",
    };
    const failed: NormalizedBody = { event: "tool.completed", callId: "c", isError: true, text: "no" };
    const conversation = next(empty, request, decided, started, failed);
    expect(conversation.items.at(-1)).toMatchObject({ state: "denied", decision: { decision: "deny", by: "me" } });
  });
});

it("keeps errors of different turns apart", () => {
  const error: NormalizedBody = { event: "error", class: "transient", message: "no answer" };
  const twice = next(empty, start("t1"), error, error, end("t1"), start("t2"), error, end("t2"));
  expect(twice.items.map(({ id }) => id)).toEqual(["error:1:0", "error:5:0"]);
  const ended = next(twice, error, { event: "session", state: "ended", reason: "error" });
  expect(ended.items).toHaveLength(2);
});
