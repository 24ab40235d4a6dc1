import { describe, expect, it } from "vitest";
import { claude, Rig } from "./claude.test-support.ts";

const texts = (rig: Rig) =>
  rig.conversation.items.flatMap((item) => (item.type === "message" ? [[item.id, item.text, item.state]] : []));

describe("streamed text", () => {
  it("is replaced by the whole text, and what comes late is in it already", () => {
    const rig = new Rig();
    rig.claude(claude.start("m"), claude.open(0, "text"), claude.text(0, "Hel"), claude.text(0, "lo wor"));
    expect(texts(rig)).toEqual([["m:0", "Hello wor", "streaming"]]);
    rig.claude(claude.assistant("m", [{ type: "text", text: "Hello world" }]), claude.text(0, "ld"));
    expect(texts(rig)).toEqual([["m:0", "Hello world", "done"]]);
  });

  it("is void when the answer was cut and Claude asks again", () => {
    const rig = new Rig();
    rig.claude(claude.start("m1"), claude.open(0, "text"), claude.text(0, "Half an ans"));
    expect(rig.claude(claude.start("m2"))).toEqual([{ event: "message.discarded", itemIds: ["m1:0"], sources: [] }]);
    rig.claude(
      claude.open(0, "text"),
      claude.text(0, "A whole"),
      claude.assistant("m2", [{ type: "text", text: "A whole one" }]),
    );
    expect(texts(rig)).toEqual([["m2:0", "A whole one", "done"]]);
  });

  it("is void as well when the second answer is not streamed", () => {
    const rig = new Rig();
    rig.claude(claude.start("m1"), claude.open(0, "thinking"), claude.open(1, "text"), claude.text(1, "Half"));
    rig.claude(claude.assistant("m2", [{ type: "text", text: "Whole" }]));
    expect(texts(rig)).toEqual([["m2:0", "Whole", "done"]]);
  });

  it("stays when the turn ends in its middle", () => {
    const rig = new Rig();
    rig.claude(claude.start("m1"), claude.open(0, "text"), claude.text(0, "Half"));
    rig.endTurn("owner_lost");
    expect(texts(rig)).toEqual([["m1:0", "Half", "incomplete"]]);
    rig.host("ca_turn_started", { turnId: "turn_2", messageIds: [] });
    rig.claude(claude.start("m2"));
    expect(texts(rig)).toEqual([["m1:0", "Half", "incomplete"]]);
  });

  it("belongs to its conversation: a sub-agent's message ends none of the main one", () => {
    const rig = new Rig();
    rig.claude(claude.start("m1"), claude.open(0, "text"), claude.text(0, "Main "), claude.start("s1", "toolu_agent"));
    rig.claude(claude.assistant("s1", [{ type: "text", text: "Sub" }], { parent_tool_use_id: "toolu_agent" }));
    rig.claude(claude.text(0, "text"));
    expect(texts(rig)).toEqual([
      ["m1:0", "Main text", "streaming"],
      ["s1:0", "Sub", "done"],
    ]);
    expect(rig.conversation.items.at(-1)).toMatchObject({ parent: "toolu_agent" });
  });
});

describe("messages of the model", () => {
  it("are told apart by their place when several blocks come in one", () => {
    const rig = new Rig();
    const blocks = [
      { type: "thinking", thinking: "hm" },
      { type: "text", text: "one" },
      { type: "redacted_thinking", data: "x" },
      { type: "text", text: "two" },
      { type: "of_tomorrow", a: 1 },
    ];
    rig.claude(claude.assistant("m", blocks));
    expect(rig.conversation.items.slice(1).map(({ id, type }) => [id, type])).toEqual([
      ["m:0", "reasoning"],
      ["m:1", "message"],
      ["m:2", "reasoning"],
      ["m:3", "message"],
    ]);
  });

  it("may be taken back by a later one, or by the program", () => {
    const rig = new Rig();
    rig.claude(claude.assistant("m1", [{ type: "text", text: "refused" }]));
    rig.claude(claude.assistant("m2", [{ type: "text", text: "better" }], { supersedes: ["uuid-of-m1"] }));
    expect(texts(rig)).toEqual([["m2:0", "better", "done"]]);
    const taken = { type: "system", subtype: "model_refusal_fallback", retracted_message_uuids: ["uuid-of-m2"] };
    expect(rig.claude({ ...taken, content: "Another model answers." })).toEqual([
      { event: "message.discarded", itemIds: [], sources: ["uuid-of-m2"] },
      { event: "notice", level: "warning", code: "model_refusal_fallback", message: "Another model answers." },
    ]);
    expect(texts(rig)).toEqual([]);
  });

  it("keep blocks that are more than text", () => {
    const rig = new Rig();
    const image = { type: "image", source: { type: "base64", data: "" } };
    rig.claude(claude.assistant("m", [image]));
    expect(rig.conversation.items.at(-1)).toMatchObject({ type: "message", text: "", blocks: [image] });
  });

  it.each([
    ["rate_limit", "limited"],
    ["overloaded", "transient"],
    ["authentication_failed", "permanent"],
  ])("that report %s are errors of class %s", (error, known) => {
    const rig = new Rig();
    rig.claude(claude.assistant("m", [{ type: "text", text: "API Error" }], { error }));
    expect(rig.conversation.items.at(-1)).toMatchObject({
      type: "error",
      class: known,
      code: error,
      provisional: true,
    });
    rig.host("ca_turn_ended", {
      turnId: "turn_1",
      reason: "error",
      error: { class: "permanent", message: "The account is locked." },
      usage: {},
    });
    expect(rig.conversation.items.filter(({ type }) => type === "error")).toEqual([
      { id: "error:2:0", turnId: "turn_1", type: "error", class: "permanent", message: "The account is locked." },
    ]);
  });
});

describe("messages in the user's name", () => {
  it("are shown when the user said them, once", () => {
    const rig = new Rig();
    rig.claude(claude.user("Do it", { isReplay: true }), claude.user("Do it", { uuid: "other" }));
    expect(rig.conversation.items).toEqual([{ type: "user", id: "msg_user", turnId: "turn_1", text: "Do it" }]);
  });

  it("are passed over when the program made them up", () => {
    const rig = new Rig();
    const messages = [claude.user("context", { isSynthetic: true }), claude.user("[Request interrupted by user]")];
    expect(rig.claude(...messages, claude.user([]))).toEqual([]);
  });
});
