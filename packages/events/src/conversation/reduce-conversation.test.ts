import { describe, expect, it } from "vitest";
import type { NormalizedBody, NormalizedEvent } from "../normalized-event.ts";
import { emptyConversation } from "./conversation.ts";
import { reduceConversation, replayConversation } from "./reduce-conversation.ts";

const USAGE = { input_tokens: 1, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 2 };
const STARTED: NormalizedBody = {
  event: "session",
  state: "started",
  sessionId: "sess_1",
  engine: "claude-agent-sdk",
  identity: null,
  model: null,
  route: null,
  capabilities: [],
  protocolVersion: "2026-11-30",
  epoch: "epoch-1",
};
const TURN: NormalizedBody = { event: "turn", state: "started", turnId: "turn_1", messageIds: ["msg_1"] };
const ASKED: NormalizedBody = {
  event: "permission",
  state: "requested",
  callId: "call_1",
  toolName: "Bash",
  input: { command: "ls" },
  risk: "high",
  expiresAt: "2026-01-01T00:00:00.000Z",
};
const text = (itemId: string, piece: string): NormalizedBody => ({ event: "message.delta", itemId, text: piece });
const placed = (...bodies: NormalizedBody[]): NormalizedEvent[] =>
  bodies.map((body, seq) => ({ ...body, seq, sub: 0 }));
const control = (body: NormalizedBody): NormalizedEvent => ({ ...body, seq: null, sub: 0 });

describe("parts that an event does not touch", () => {
  const before = replayConversation(placed(STARTED, TURN, text("a", "one"), text("b", "two"), ASKED));
  const next = (body: NormalizedBody) => reduceConversation(before, { ...body, seq: 5, sub: 0 });

  it("keep their identity when text grows", () => {
    const after = next(text("b", " three"));
    expect(after.items[2]).toMatchObject({ text: "two three" });
    expect([after.items[0], after.items[1], after.items[3]]).toEqual([
      before.items[0],
      before.items[1],
      before.items[3],
    ]);
    for (const index of [0, 1, 3]) expect(after.items[index]).toBe(before.items[index]);
    for (const part of ["turns", "pending", "plan", "usage", "session", "ended"] as const) {
      expect(after[part]).toBe(before[part]);
    }
  });

  it("keep it all when there is nothing to show", () => {
    const after = next({ event: "other", type: "system/status" });
    expect(after).toEqual({ ...before, cursor: { seq: 5, sub: 0 } });
    expect(after.items).toBe(before.items);
    expect(next({ event: "session", state: "engine_ready", model: null }).session).toBe(before.session);
  });

  it("are the conversation itself when the event is known", () => {
    const known = [STARTED, TURN, text("a", "one"), text("b", "two"), ASKED];
    for (const event of placed(...known)) expect(reduceConversation(before, event)).toBe(before);
  });

  it("are never changed in place", () => {
    const copy = structuredClone(before);
    next({ event: "turn", state: "ended", turnId: "turn_1", messageIds: [], reason: "complete", usage: USAGE });
    next({ event: "permission", state: "resolved", callId: "call_1", decision: "deny", by: "me" });
    expect(before).toEqual(copy);
  });
});

describe("control frames", () => {
  it("bring an open request that lies before the cursor, once, and do not move it", () => {
    const late = replayConversation([{ ...TURN, seq: 90, sub: 0 }]);
    const asked = reduceConversation(late, control(ASKED));
    expect(asked).toMatchObject({ status: "waiting_permission", cursor: { seq: 90, sub: 0 } });
    expect(asked.pending).toEqual([asked.items.at(-1)]);
    expect(reduceConversation(asked, control(ASKED))).toBe(asked);
    const resolved: NormalizedBody = {
      event: "permission",
      state: "resolved",
      callId: "call_1",
      decision: "allow",
      by: "me",
    };
    const answered = reduceConversation(asked, { ...resolved, seq: 91, sub: 0 });
    expect(answered).toMatchObject({ status: "running", pending: [] });
    expect(reduceConversation(answered, control(ASKED))).toBe(answered);
  });

  it("change nothing otherwise", () => {
    const conversation = replayConversation(placed(STARTED, TURN));
    const gap: NormalizedBody = { event: "replay.gap", requestedId: 1, oldestId: 40, headId: 60 };
    expect(reduceConversation(conversation, control(gap))).toBe(conversation);
    expect(reduceConversation(conversation, control({ event: "other", type: "ca_resync" }))).toBe(conversation);
  });

  it("tell when the log is older than what is known: then it is read anew", () => {
    const conversation = replayConversation(placed(STARTED, TURN, text("a", "lost")));
    const gap: NormalizedBody = { event: "replay.gap", requestedId: 2, oldestId: 0, headId: 1 };
    expect(reduceConversation(conversation, control(gap))).toEqual(emptyConversation());
  });
});

describe("the order of events", () => {
  it("is checked within an event as well", () => {
    const first = replayConversation(placed(STARTED));
    expect(reduceConversation(first, { ...TURN, seq: 1, sub: 1 }).gap).toEqual({ after: 0, next: 1 });
    expect(reduceConversation(first, { ...TURN, seq: 0, sub: 2 }).gap).toEqual({ after: 0, next: 0 });
    expect(reduceConversation(first, { ...TURN, seq: 0, sub: 1 }).gap).toBeNull();
  });

  it("is broken for good by the first gap", () => {
    const events = [0, 3, 4, 9].map((seq) => ({ event: "other" as const, type: "x", seq, sub: 0 }));
    expect(replayConversation(events).gap).toEqual({ after: 0, next: 3 });
    expect(replayConversation([{ event: "other", type: "x", seq: 7, sub: 0 }]).gap).toEqual({ after: null, next: 7 });
  });

  it("begins anew with another log", () => {
    const conversation = replayConversation(placed(STARTED, TURN, text("a", "old")));
    const restored = reduceConversation(conversation, {
      ...STARTED,
      epoch: "epoch-2",
      seq: 0,
      sub: 0,
    } as NormalizedEvent);
    expect(restored).toMatchObject({ items: [], turns: [], session: { epoch: "epoch-2" }, cursor: { seq: 0, sub: 0 } });
  });
});
