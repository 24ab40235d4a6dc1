import type { EngineErrorData, ErrorClass, JsonObject, TurnEndReason } from "@computeragent/protocol";
import { number, string, strings } from "./json.ts";

/** How a turn ended. */
export interface TurnOutcome {
  readonly reason: TurnEndReason;
  readonly error?: EngineErrorData;
}

/** What the messages before the result told. */
export interface OutcomeHints {
  /** Name of the API error of the last assistant message, e.g. `rate_limit`. */
  readonly errorName?: string;
  /** When a limit is lifted (ISO 8601). */
  readonly until?: string;
}

const PERMANENT = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "billing_error",
  "invalid_request",
  "model_not_found",
  "max_output_tokens",
  "cloud_credential_error",
]);

const OWN_ENDS: ReadonlyMap<unknown, EngineErrorData> = new Map([
  [
    "error_max_budget_usd",
    { class: "permanent", code: "budget_exceeded", message: "The budget of the engine is used up." },
  ],
  [
    "error_max_structured_output_retries",
    {
      class: "permanent",
      code: "structured_output_failed",
      message: "The model did not produce output of the requested shape.",
    },
  ],
]);

/** Reads a result message. `is_error` decides, not the subtype: API failures come as `success`. */
export function outcomeOf(result: JsonObject, hints: OutcomeHints): TurnOutcome {
  if (string(result.terminal_reason)?.startsWith("aborted")) return { reason: "interrupted" };
  if (result.subtype === "error_max_turns") return { reason: "max_turns" };
  if (result.is_error !== true) return { reason: "complete" };
  return { reason: "error", error: OWN_ENDS.get(result.subtype) ?? apiError(result, hints) };
}

function apiError(result: JsonObject, hints: OutcomeHints): EngineErrorData {
  const status = number(result.api_error_status);
  const errorClass = classOf(status, hints.errorName, result);
  const code = hints.errorName ?? string(result.startup_failure_reason);
  return {
    class: errorClass,
    message: messageOf(result, status),
    ...(code === undefined ? {} : { code }),
    ...(errorClass === "limited" && hints.until !== undefined ? { until: hints.until } : {}),
  };
}

function classOf(status: number | undefined, name: string | undefined, result: JsonObject): ErrorClass {
  if (status === 429 || name === "rate_limit") return "limited";
  if (status === 408 || status === 409 || (status !== undefined && status >= 500)) return "transient";
  if (status !== undefined && status >= 400) return "permanent";
  if (string(result.startup_failure_reason) !== undefined) return "permanent";
  return name !== undefined && PERMANENT.has(name) ? "permanent" : "transient";
}

function messageOf(result: JsonObject, status: number | undefined): string {
  if (status === 401) return "The model endpoint refused the credential (401).";
  const said = string(result.result) || strings(result.errors).join("; ");
  return said === "" ? "The engine ended the turn with an error." : said;
}
