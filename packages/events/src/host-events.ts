import type { JsonObject, JsonValue, Usage } from "@computeragent/protocol";
import type { NormalizedBody } from "./normalized-event.ts";
import { countOf, given, idOf, isObject, listOf, objectOf, oneOf, stringOf, stringsOf, textOf } from "./shape.ts";
import { BILLINGS, CAPABILITIES, DECISIONS, ERROR_CLASSES, RISKS, SESSION_ENDS, TURN_ENDS } from "./vocabulary.ts";

/** The normalised events of what the host itself reports; null for an event that no host makes or that lacks its id. */
export function normalizeHostEvent(type: string, data: JsonObject): readonly NormalizedBody[] | null {
  return Object.hasOwn(READERS, type) ? (READERS[type]?.(data) ?? null) : null;
}

type Reader = (data: JsonObject) => readonly NormalizedBody[] | null;

const READERS: Readonly<Record<string, Reader>> = {
  ca_session_started: sessionStarted,
  ca_turn_started: (data) => {
    const turnId = idOf(data.turnId);
    if (turnId === undefined) return null;
    return [{ event: "turn", state: "started", turnId, messageIds: stringsOf(data.messageIds) }];
  },
  ca_turn_ended: turnEnded,
  ca_permission_request: permissionRequest,
  ca_permission_resolved: (data) => {
    const callId = idOf(data.callId);
    if (callId === undefined) return null;
    const decision = oneOf(DECISIONS, data.decision, "cancelled");
    const reason = given("reason", stringOf(data.reason));
    return [{ event: "permission", state: "resolved", callId, decision, by: textOf(data.by), ...reason }];
  },
  ca_usage_snapshot: (data) => [
    {
      event: "usage",
      scope: data.scope === "session" ? "session" : "turn",
      ...given("turnId", stringOf(data.turnId)),
      usage: usageOf(data),
      billing: oneOf(BILLINGS, data.billing, "unknown"),
    },
  ],
  ca_notice: (data) => [
    {
      event: "notice",
      level: data.level === "warning" ? "warning" : "info",
      code: textOf(data.code),
      message: textOf(data.message),
      ...given("path", stringOf(data.path)),
    },
  ],
  ca_session_ended: sessionEnded,
  ca_replay_gap: ({ requestedId, oldestId, headId }) => [
    {
      event: "replay.gap",
      requestedId: countOf(requestedId) ?? null,
      oldestId: countOf(oldestId) ?? null,
      headId: countOf(headId) ?? null,
    },
  ],
};

function sessionStarted(data: JsonObject): readonly NormalizedBody[] | null {
  const sessionId = idOf(data.sessionId);
  if (sessionId === undefined) return null;
  const gap = objectOf(data.gap);
  const identity = { name: textOf(gap.name), version: textOf(gap.version), sha: stringOf(gap.sha) ?? null };
  return [
    {
      event: "session",
      state: "started",
      sessionId,
      engine: textOf(data.harness),
      identity: idOf(gap.name) === undefined ? null : identity,
      model: stringOf(data.model) ?? null,
      route: stringOf(data.route) ?? null,
      capabilities: CAPABILITIES.filter((name) => listOf(data.capabilities).includes(name)),
      protocolVersion: textOf(data.protocolVersion),
      epoch: textOf(data.epoch),
    },
  ];
}

function turnEnded(data: JsonObject): readonly NormalizedBody[] | null {
  const turnId = idOf(data.turnId);
  if (turnId === undefined) return null;
  const error = isObject(data.error) ? engineError(data.error) : undefined;
  const ended: NormalizedBody = {
    event: "turn",
    state: "ended",
    turnId,
    messageIds: stringsOf(data.messageIds),
    reason: oneOf(TURN_ENDS, data.reason, "error"),
    ...given("error", error),
    usage: usageOf(objectOf(data.usage)),
  };
  return error ? [{ event: "error", ...error }, ended] : [ended];
}

function permissionRequest(data: JsonObject): readonly NormalizedBody[] | null {
  const callId = idOf(data.callId);
  if (callId === undefined) return null;
  const { framework, rule_citations } = objectOf(data.gap_compliance);
  const citations = Array.isArray(rule_citations) ? { rule_citations: stringsOf(rule_citations) } : {};
  return [
    {
      event: "permission",
      state: "requested",
      callId,
      toolName: textOf(data.toolName),
      input: objectOf(data.input),
      risk: oneOf(RISKS, data.risk, "high"),
      ...given("title", stringOf(data.title)),
      ...given("agentId", stringOf(data.agentId)),
      expiresAt: textOf(data.expiresAt),
      ...(typeof framework === "string" ? { compliance: { framework, ...citations } } : {}),
    },
  ];
}

function sessionEnded(data: JsonObject): readonly NormalizedBody[] {
  const reason = oneOf(SESSION_ENDS, data.reason, "error");
  const raw = data.error;
  if (!isObject(raw)) return [{ event: "session", state: "ended", reason }];
  const code = idOf(raw.code) ?? "INTERNAL";
  const errorClass = oneOf(ERROR_CLASSES, raw.class, "permanent");
  const message = stringOf(raw.message);
  return [
    { event: "error", class: errorClass, message: message ?? code, code },
    { event: "session", state: "ended", reason, error: { code, class: errorClass, ...given("message", message) } },
  ];
}

function engineError(raw: JsonObject) {
  return {
    class: oneOf(ERROR_CLASSES, raw.class, "permanent"),
    message: textOf(raw.message),
    ...given("code", stringOf(raw.code)),
    ...given("until", stringOf(raw.until)),
  };
}

const tokens = (value: JsonValue | undefined): number => countOf(value) ?? 0;

function usageOf(raw: JsonObject): Usage {
  const cost = raw.cost_usd;
  return {
    input_tokens: tokens(raw.input_tokens),
    cache_read_input_tokens: tokens(raw.cache_read_input_tokens),
    cache_creation_input_tokens: tokens(raw.cache_creation_input_tokens),
    output_tokens: tokens(raw.output_tokens),
    ...(typeof cost === "number" && cost >= 0 ? { cost_usd: cost } : {}),
  };
}
