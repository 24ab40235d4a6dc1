import type { EngineInput, JsonObject, JsonValue } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "./outcome.ts";
import { messageEvent, PartialMarker } from "./partials.ts";
import { Turn } from "./turn.ts";
import { toUserMessage } from "./user-message.ts";

const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
const word = fc.constantFrom(
  "text_delta",
  "rate_limit",
  "constructor",
  "__proto__",
  "toString",
  "error_max_turns",
  "",
  "u1",
);
const anything = fc.oneof(word, json, fc.double());

/** Messages of the CLI with anything in every field that is looked at. */
const message = fc
  .record(
    {
      type: fc.oneof(
        fc.constantFrom(
          "assistant",
          "result",
          "user",
          "system",
          "stream_event",
          "rate_limit_event",
          "command_lifecycle",
        ),
        anything,
      ),
      subtype: fc.oneof(fc.constantFrom("api_retry", "success", "error_max_budget_usd"), anything),
      is_error: fc.oneof(fc.boolean(), anything),
      error: anything,
      error_status: fc.oneof(fc.constant(429), anything),
      retry_delay_ms: anything,
      api_error_status: anything,
      result: anything,
      errors: anything,
      message: fc.oneof(fc.record({ id: anything, content: anything }), anything),
      rate_limit_info: fc.oneof(
        fc.record({ status: fc.constantFrom("rejected", "allowed"), resetsAt: fc.oneof(fc.double(), anything) }),
        anything,
      ),
      event: fc.oneof(
        fc.record({
          type: fc.oneof(fc.constantFrom("content_block_delta", "content_block_stop"), anything),
          index: anything,
          delta: fc.oneof(fc.record({ type: word, text: anything }), anything),
        }),
        anything,
      ),
      user_message_uuids: anything,
      command_uuid: anything,
      state: anything,
      parent_tool_use_id: anything,
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

describe("messages of the CLI", () => {
  it("may be of any shape: the turn goes on, and its outcome is well formed", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const turn = new Turn("t1");
        turn.sent("u1");
        for (const one of messages) {
          expect(typeof turn.observe(one)).toBe("boolean");
          expect(typeof turn.exceeds(1, one)).toBe("boolean");
          const { reason, error } = outcomeOf(one, turn.hints.hints);
          expect(["complete", "interrupted", "max_turns", "error"]).toContain(reason);
          if (error) {
            expect([typeof error.message, typeof error.class]).toEqual(["string", "string"]);
            if (error.until !== undefined) expect(new Date(error.until).toISOString()).toBe(error.until);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it("may be of any shape: a piece that grows is a text in the message", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const marker = new PartialMarker();
        for (const one of messages) {
          const event = messageEvent(marker, one, false);
          const path =
            event.kind === "message" && event.partial && "path" in event.partial ? event.partial.path : undefined;
          if (!path) continue;
          let at: unknown = one;
          for (const name of path) at = (at as Record<string, unknown>)[name];
          expect(typeof at).toBe("string");
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("a message of the user", () => {
  it("calls no command that is not allowed, however it is spelt", () => {
    const text = fc.oneof(
      fc
        .tuple(
          fc.constantFrom("", " ", "\n", "\t"),
          fc.constantFrom("/login", "/compact", "/config x", "/mine", "//x", "/", "@x"),
          fc.string(),
        )
        .map((all) => all.join("")),
      fc.string({ unit: "binary" }),
    );
    const content = fc.oneof(
      text,
      fc.array(fc.record({ type: fc.constantFrom("text", "image"), text: fc.oneof(text, json) })),
    );
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 3 }), (contents) => {
        const input = {
          turnId: "t",
          messages: contents.map((one) => ({ role: "user", content: one })),
        } as unknown as EngineInput;
        const sent = toUserMessage(input, ["mine"]);
        const texts = contents.flatMap((one) => (typeof one === "string" ? [one] : one.map((block) => block.text)));
        const isForbidden = texts.some((one) => typeof one === "string" && /^\s*\/(login|config|\/)/.test(one));
        if (isForbidden) expect(sent).toHaveProperty("client_composed", true);
      }),
    );
  });
});
