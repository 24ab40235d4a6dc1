import { describe, expect, it } from "vitest";
import { LimitHints } from "./limit-hints.ts";
import { outcomeOf } from "./outcome.ts";

const failed = (rest: object) => ({ type: "result", subtype: "success", is_error: true, result: "it broke", ...rest });

describe("outcomeOf", () => {
  it("tells ends that are no errors", () => {
    expect(outcomeOf({ subtype: "success", is_error: false }, {})).toEqual({ reason: "complete" });
    expect(outcomeOf({ subtype: "error_max_turns", is_error: true }, {})).toEqual({ reason: "max_turns" });
    const aborted = { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" };
    expect(outcomeOf(aborted, {})).toEqual({ reason: "interrupted" });
  });

  it.each([
    [{ api_error_status: 401 }, "permanent"],
    [{ api_error_status: 400 }, "permanent"],
    [{ api_error_status: 429 }, "limited"],
    [{ api_error_status: 408 }, "transient"],
    [{ api_error_status: 500 }, "transient"],
    [{ api_error_status: 529 }, "transient"],
    [{ api_error_status: null }, "transient"],
    [{ subtype: "error_max_budget_usd" }, "permanent"],
    [{ subtype: "error_max_structured_output_retries" }, "permanent"],
    [{ subtype: "error_during_execution", startup_failure_reason: "cwd_unavailable" }, "permanent"],
  ])("classifies %j as %s", (result, expected) => {
    expect(outcomeOf(failed(result), {}).error?.class).toBe(expected);
  });

  it("uses the name of the error where the status is missing", () => {
    expect(outcomeOf(failed({}), { errorName: "billing_error" }).error).toMatchObject({
      class: "permanent",
      code: "billing_error",
    });
    expect(outcomeOf(failed({}), { errorName: "rate_limit" }).error?.class).toBe("limited");
    expect(outcomeOf(failed({}), { errorName: "server_error" }).error?.class).toBe("transient");
  });

  it("says what the engine said, or that it said nothing", () => {
    expect(outcomeOf(failed({}), {}).error?.message).toBe("it broke");
    expect(outcomeOf({ is_error: true, errors: ["one", "two"] }, {}).error?.message).toBe("one; two");
    expect(outcomeOf({ is_error: true }, {}).error?.message).toContain("error");
  });
});

describe("LimitHints", () => {
  it("takes the time of a rejected limit, and of the last wait", () => {
    const hints = new LimitHints();
    expect(hints.hints).toEqual({});
    hints.observe({ type: "system", subtype: "api_retry", error_status: 529, retry_delay_ms: 5 }, 0);
    expect(hints.hints).toEqual({});
    hints.observe({ type: "system", subtype: "api_retry", error_status: 429, retry_delay_ms: 1000 }, 0);
    expect(hints.hints.until).toBe("1970-01-01T00:00:01.000Z");
    hints.observe({ type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 60 } });
    hints.observe({ type: "rate_limit_event", rate_limit_info: { status: "allowed", resetsAt: 90 } });
    expect(hints.hints.until).toBe("1970-01-01T00:01:00.000Z");
  });

  it("takes the error of the main conversation's last answer", () => {
    const hints = new LimitHints();
    hints.observe({ type: "assistant", error: "rate_limit", parent_tool_use_id: null });
    hints.observe({ type: "assistant", error: "server_error", parent_tool_use_id: "toolu_1" });
    expect(hints.hints.errorName).toBe("rate_limit");
    hints.observe({ type: "assistant", parent_tool_use_id: null });
    expect(hints.hints).toEqual({});
  });
});
