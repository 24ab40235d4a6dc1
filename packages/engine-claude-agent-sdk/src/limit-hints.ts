import type { JsonObject } from "@computeragent/protocol";
import { number, object, string } from "./json.ts";
import type { OutcomeHints } from "./outcome.ts";

/** Remembers from a turn's messages what its result does not say: the name of the error, and until when a limit holds. */
export class LimitHints {
  #errorName: string | undefined;
  #until: number | undefined;

  observe(message: JsonObject, now = Date.now()): void {
    if (message.type === "assistant" && !string(message.parent_tool_use_id)) {
      this.#errorName = string(message.error);
    } else if (message.type === "rate_limit_event") {
      const info = object(message.rate_limit_info);
      const resetsAt = number(info.resetsAt);
      if (info.status === "rejected" && resetsAt !== undefined) this.#until = resetsAt * 1000;
    } else if (message.type === "system" && message.subtype === "api_retry" && message.error_status === 429) {
      this.#until = now + (number(message.retry_delay_ms) ?? 0);
    }
  }

  /** A time that no calendar has is none. */
  get hints(): OutcomeHints {
    const until = new Date(this.#until ?? Number.NaN);
    return {
      ...(this.#errorName === undefined ? {} : { errorName: this.#errorName }),
      ...(Number.isNaN(until.getTime()) ? {} : { until: until.toISOString() }),
    };
  }
}
