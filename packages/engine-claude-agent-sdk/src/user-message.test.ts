import { describe, expect, it } from "vitest";
import { toUserMessage } from "./user-message.ts";

const input = (...contents: readonly (string | { type: string; text?: string }[])[]) => ({
  turnId: "t",
  messageIds: [],
  messages: contents.map((content) => ({ role: "user" as const, content })),
  delivery: "queue" as const,
});

describe("toUserMessage", () => {
  it("keeps one text as it is, and joins the blocks of several messages", () => {
    expect(toUserMessage(input("hello"), []).message.content).toBe("hello");
    const image = { type: "image", source: { type: "base64" } };
    expect(toUserMessage(input("look", [image, { type: "text", text: "there" }]), []).message.content).toEqual([
      { type: "text", text: "look" },
      image,
      { type: "text", text: "there" },
    ]);
  });

  it("gives every message its own uuid", () => {
    expect(toUserMessage(input("a"), []).uuid).not.toBe(toUserMessage(input("a"), []).uuid);
  });

  it.each([
    ["/compact", true],
    ["/clear", true],
    ["/wanted with arguments", true],
    ["/identity:wanted x", true],
    ["no / command", true],
    ["/config x=1", false],
    [" /model other", false],
    ["/unwanted", false],
    ["/usr/bin/env is a path", false],
    ["/", false],
  ])("%j may call a command: %s", (text, allowed) => {
    expect(toUserMessage(input(text), ["wanted"]).client_composed).toBe(allowed ? undefined : true);
    expect(toUserMessage(input([{ type: "text", text }]), ["wanted"]).client_composed).toBe(allowed ? undefined : true);
  });
});
