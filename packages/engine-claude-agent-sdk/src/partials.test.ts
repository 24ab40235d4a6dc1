import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartialMarker } from "./partials.ts";

const event = (type: string, rest: object = {}, parent: string | null = null) => ({
  type: "stream_event",
  event: { type, ...rest },
  parent_tool_use_id: parent,
});
const delta = (type: string, index = 0, parent: string | null = null) =>
  event("content_block_delta", { index, delta: { type, text: "t", thinking: "t", partial_json: "t" } }, parent);

describe("PartialMarker", () => {
  it("names the field that grows, and the end of it", () => {
    const marker = new PartialMarker();
    expect(marker.mark(event("content_block_start", { index: 0 }))).toBeUndefined();
    expect(marker.mark(delta("thinking_delta"))).toEqual({
      channel: "main:0:thinking",
      path: ["event", "delta", "thinking"],
    });
    expect(marker.mark(delta("signature_delta"))).toBeUndefined();
    expect(marker.mark(event("content_block_stop", { index: 0 }))).toEqual({ channel: "main:0:thinking", end: true });
    expect(marker.mark(delta("text_delta", 1))).toEqual({ channel: "main:1:text", path: ["event", "delta", "text"] });
    expect(marker.mark(event("content_block_stop", { index: 1 }))).toEqual({ channel: "main:1:text", end: true });
    expect(marker.mark(delta("input_json_delta", 2))).toMatchObject({ path: ["event", "delta", "partial_json"] });
  });

  it("keeps sub-agents apart, and ends what was cut off", () => {
    const marker = new PartialMarker();
    marker.mark(delta("text_delta"));
    expect(marker.mark(delta("text_delta", 0, "toolu_1"))).toMatchObject({ channel: "toolu_1:0:text" });
    expect(marker.mark(event("message_start"))).toEqual({ channel: "main:0:text", end: true });
    expect(marker.mark(event("content_block_stop", {}, "toolu_1"))).toEqual({ channel: "toolu_1:0:text", end: true });
    marker.mark(delta("text_delta"));
    expect(marker.mark({ type: "result" })).toEqual({ channel: "main:0:text", end: true });
    expect(marker.mark({ type: "result" })).toBeUndefined();
  });

  it("never has two open channels in one conversation, and never ends one twice", () => {
    const parent = fc.constantFrom(null, "toolu_1");
    const message = fc.oneof(
      fc
        .tuple(fc.constantFrom("text_delta", "thinking_delta", "input_json_delta", "odd"), fc.nat(2), parent)
        .map((args) => delta(...args)),
      fc
        .tuple(fc.constantFrom("content_block_stop", "content_block_start", "message_start", "ping"), parent)
        .map(([type, p]) => event(type, {}, p)),
      fc.constant({ type: "result" }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (messages) => {
        const marker = new PartialMarker();
        const open = new Set<string>();
        for (const one of messages) {
          const mark = marker.mark(one);
          if (mark?.end) expect(open.delete(mark.channel)).toBe(true);
          else if (mark) open.add(mark.channel);
        }
      }),
    );
  });
});

it("ends a text at its whole message, which comes before the stop event", () => {
  const marker = new PartialMarker();
  const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "x" } };
  marker.mark({ type: "stream_event", event: delta, parent_tool_use_id: null });
  expect(marker.mark({ type: "assistant", message: {}, parent_tool_use_id: null })).toEqual({
    channel: "main:0:text",
    end: true,
  });
  expect(marker.mark({ type: "stream_event", event: { type: "content_block_stop", index: 0 } })).toBeUndefined();
});
