import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { GOLDEN, readGolden, readLines, runGolden } from "./golden.test-support.ts";

const names = readdirSync(GOLDEN);

it("has recordings of everything that a conversation is made of", async () => {
  const runs = await Promise.all(names.map(async (name) => runGolden(await readGolden(name))));
  const events = new Set(runs.flatMap(({ normalized }) => normalized.map(({ event }) => event)));
  const items = new Set(runs.flatMap(({ conversation }) => conversation.items.map(({ type }) => type)));
  expect([...events].sort()).toEqual([
    "error",
    "file.changed",
    "message.completed",
    "message.delta",
    "notice",
    "other",
    "permission",
    "plan.updated",
    "reasoning",
    "session",
    "tool.completed",
    "tool.started",
    "turn",
    "usage",
  ]);
  expect([...items].sort()).toEqual([
    "error",
    "file",
    "message",
    "notice",
    "permission",
    "plan",
    "reasoning",
    "tool",
    "user",
  ]);
});

describe.each(names)("recording %s", (name) => {
  it("comes to the expected events and conversation", async () => {
    const { normalized, conversation } = runGolden(await readGolden(name));
    expect(normalized).toStrictEqual(await readLines(name, "normalized.jsonl"));
    expect(conversation).toStrictEqual(
      JSON.parse(await readFile(new URL(`${name}/conversation.json`, GOLDEN), "utf8")),
    );
  });

  it("has no gap, and ends with everything settled", async () => {
    const { conversation } = runGolden(await readGolden(name));
    expect(conversation).toMatchObject({ gap: null, status: "ended", pending: [] });
    const open = conversation.items.filter((item) => "state" in item && /streaming|running/.test(item.state));
    expect(open).toEqual([]);
  });

  it("shows the same without its partial messages", async () => {
    const golden = await readGolden(name);
    const whole = golden.events.filter(({ data }) => (data as { type?: string }).type !== "stream_event");
    const { conversation } = runGolden({ ...golden, events: whole });
    // What was cut off by an error has no whole message.
    const expected = runGolden(golden).conversation.items.filter(
      (item) => item.type !== "message" || item.source !== undefined,
    );
    expect(conversation.items).toStrictEqual(expected);
  });
});
