import type { JsonObject } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseObject } from "../../anthropic/json.ts";
import { begin, loadState, saveState } from "../script/state.ts";
import { readConversation } from "./conversation.ts";

const json = fc.jsonValue() as fc.Arbitrary<JsonObject[string]>;

describe("a request of a client", () => {
  const tag = fc.constantFrom(
    "<system-reminder>",
    "</system-reminder>",
    "<offline-script>",
    "</offline-script>",
    "[Request interrupted by user]",
    "[Tool call interrupted",
    "Working directory: /a\n",
    "\n",
    " ",
    "x",
  );
  const text = fc.oneof(
    fc.array(tag, { maxLength: 8 }).map((all) => all.join("")),
    fc.string(),
  );
  const block = fc.oneof(
    fc.record({ type: fc.constant("text"), text }),
    fc.record({ type: fc.constant("tool_use"), id: text, name: text, input: json }),
    fc.record({
      type: fc.constant("tool_result"),
      tool_use_id: text,
      content: fc.oneof(text, json),
      is_error: fc.boolean(),
    }),
    json,
  );
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "system", "tool", ""),
    content: fc.oneof(text, fc.array(block), json),
  });

  it("is read, whatever it holds", () => {
    const body = fc.record({ system: fc.oneof(text, json), messages: fc.oneof(fc.array(message), json), tools: json });
    fc.assert(
      fc.property(fc.oneof(body, fc.dictionary(fc.string(), json)), (value) => {
        const { events, tools } = readConversation(JSON.parse(JSON.stringify(value)) as JsonObject);
        expect(Array.isArray(events) && Array.isArray(tools)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    "<system-reminder>",
    "</system-reminder>",
    "<",
    "Working directory: ",
    " \t",
    "- ",
    "\n",
    "[Tool call interrupted",
  ])("is read to its end, 1 MB of %j", (piece) => {
    const long = piece.repeat(1_000_000 / piece.length);
    const blocks = [
      { type: "tool_result", tool_use_id: "1", content: long },
      { type: "text", text: long },
    ];
    const messages = [
      { role: "user", content: long },
      { role: "system", content: long },
      { role: "user", content: blocks },
    ];
    expect(readConversation({ system: long, messages }).events.length).toBeGreaterThan(0);
  });

  it("is an object, or none", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((one) => Buffer.from(one)),
        ),
        (bytes) => {
          const value = parseObject(bytes);
          if (value !== null) expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
        },
      ),
    );
  });
});

describe("the state of a script", () => {
  it("comes back from any summary around it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, script, after) => {
        fc.pre(!before.includes("<offline-script>"));
        const state = begin(script);
        expect(loadState(before + saveState(state) + after)).toEqual(state);
      }),
    );
  });

  it("that was tampered with is none", () => {
    fc.assert(
      fc.property(json, (value) => void loadState(`<offline-script>${JSON.stringify(value)}</offline-script>`)),
    );
    expect(loadState("<offline-script>".repeat(60_000))).toBeNull();
  });
});
