import {
  Billing,
  Capability,
  ErrorClass,
  PermissionResolvedData,
  Risk,
  SessionEndReason,
  TurnEndReason,
} from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { normalizeHostEvent } from "./host-events.ts";
import * as words from "./vocabulary.ts";

describe("events of the host", () => {
  it("tell which identity a session has, and which capabilities", () => {
    const data = {
      sessionId: "sess_1",
      harness: "codex",
      gap: { name: "reviewer", version: "1.0.0", sha: "abc" },
      capabilities: ["steer", "of_tomorrow"],
    };
    expect(normalizeHostEvent("ca_session_started", data)).toMatchObject([
      { engine: "codex", identity: { name: "reviewer", version: "1.0.0", sha: "abc" }, capabilities: ["steer"] },
    ]);
  });

  it("have an error before the end that it caused", () => {
    const error = { class: "limited", message: "wait", code: "rate_limit", until: "2026-01-01T00:00:00Z" };
    expect(normalizeHostEvent("ca_turn_ended", { turnId: "t", reason: "error", error, usage: {} })).toMatchObject([
      { event: "error", ...error },
      { event: "turn", state: "ended", reason: "error", error },
    ]);
    const lost = { code: "OWNER_LOST", class: "permanent" };
    expect(normalizeHostEvent("ca_session_ended", { reason: "error", error: lost })).toEqual([
      { event: "error", class: "permanent", message: "OWNER_LOST", code: "OWNER_LOST" },
      { event: "session", state: "ended", reason: "error", error: lost },
    ]);
  });

  it("carry usage with and without a cost", () => {
    const data = { scope: "session", input_tokens: 5, output_tokens: -1, cost_usd: 0.25, billing: "metered" };
    const tokens = { input_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 };
    expect(normalizeHostEvent("ca_usage_snapshot", data)).toEqual([
      { event: "usage", scope: "session", usage: { ...tokens, cost_usd: 0.25 }, billing: "metered" },
    ]);
    expect(normalizeHostEvent("ca_usage_snapshot", { turnId: "t" })).toMatchObject([
      { scope: "turn", turnId: "t", billing: "unknown" },
    ]);
  });

  it("carry notices, questions and gaps", () => {
    const notice = { level: "warning", code: "c", message: "m", path: "agent.yaml" };
    expect(normalizeHostEvent("ca_notice", notice)).toEqual([{ event: "notice", ...notice }]);
    const gap_compliance = { framework: "f", rule_citations: ["r"] };
    expect(normalizeHostEvent("ca_permission_request", { callId: "c", risk: "?", gap_compliance })).toMatchObject([
      { callId: "c", risk: "high", compliance: gap_compliance },
    ]);
    expect(normalizeHostEvent("ca_replay_gap", { requestedId: 4, oldestId: 9 })).toEqual([
      { event: "replay.gap", requestedId: 4, oldestId: 9, headId: null },
    ]);
  });

  it.each([
    "ca_session_started",
    "ca_turn_started",
    "ca_turn_ended",
    "ca_permission_request",
    "ca_permission_resolved",
    "ca_substrate_event",
    "hasOwnProperty",
  ])("are nothing without an id: %s", (type) => {
    expect(normalizeHostEvent(type, { turnId: 7, callId: "", sessionId: null })).toBeNull();
  });
});

it("knows all words of the wire", () => {
  expect(words.BILLINGS).toEqual(Billing.options);
  expect(words.CAPABILITIES).toEqual(Capability.options);
  expect(words.DECISIONS).toEqual(PermissionResolvedData.shape.decision.options);
  expect(words.ERROR_CLASSES).toEqual(ErrorClass.options);
  expect(words.RISKS).toEqual(Risk.options);
  expect(words.SESSION_ENDS).toEqual(SessionEndReason.options);
  expect(words.TURN_ENDS).toEqual(TurnEndReason.options);
});
