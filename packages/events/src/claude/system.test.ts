import { expect, it } from "vitest";
import { claude, Rig } from "./claude.test-support.ts";
import { systemEvents } from "./system.ts";

const said = (message: Record<string, string>) => systemEvents(message).map((event) => ({ ...event }));

it.each([
  [{ subtype: "model_fallback", content: "Now B answers." }, "warning", "model_fallback", "Now B answers."],
  [{ subtype: "model_fallback" }, "warning", "model_fallback", "Another model answers."],
  [{ subtype: "informational", level: "notice", content: "By the way" }, "info", "informational", "By the way"],
  [{ subtype: "informational", level: "warning", content: "Careful" }, "warning", "informational", "Careful"],
  [{ subtype: "compact_boundary" }, "info", "compacted", "Older parts of the conversation were summarised."],
  [{ subtype: "mirror_error", error: "disk full" }, "warning", "mirror_error", "disk full"],
  [
    { subtype: "session_writes_lost", error_code: "ENOSPC" },
    "warning",
    "session_writes_lost",
    "The transcript could not be saved (ENOSPC).",
  ],
])("tells of %j", (message, level, code, text) => {
  expect(said(message)).toEqual([{ event: "notice", level, code, message: text }]);
});

it("has no words for what it does not know", () => {
  expect(said({ subtype: "of_tomorrow" })).toEqual([]);
  expect(said({ subtype: "valueOf" })).toEqual([]);
});

it("shows the output of a local command as text", () => {
  const rig = new Rig();
  rig.claude({ type: "system", subtype: "local_command_output", content: "Cost: 0", uuid: "u" });
  expect(rig.conversation.items.at(-1)).toMatchObject({ type: "message", id: "u", text: "Cost: 0", state: "done" });
});

it("shows retries as one notice as long as nothing comes between them", () => {
  const rig = new Rig();
  const retry = (attempt: number) => ({
    type: "system",
    subtype: "api_retry",
    attempt,
    max_retries: 3,
    error_status: null,
  });
  rig.claude(retry(1), retry(2), claude.assistant("m", [{ type: "text", text: "At last" }]), retry(1));
  const notices = rig.conversation.items.flatMap((item) => (item.type === "notice" ? [item.message] : []));
  expect(notices).toEqual([
    "The model call failed: no answer. Attempt 2 of 3.",
    "The model call failed: no answer. Attempt 1 of 3.",
  ]);
});

it("tells that Claude forgot the conversation", () => {
  const rig = new Rig();
  rig.claude({ type: "conversation_reset", new_conversation_id: "x" });
  expect(rig.conversation.items.at(-1)).toMatchObject({ type: "notice", code: "conversation_reset" });
});
