import { type EngineEvent, EngineFailure } from "@computeragent/protocol";
import type { Misbehaviour, MockEngineOptions } from "./options.ts";
import type { SessionScope } from "./turn-scope.ts";

const CLOSE_DELAY_MS = 10_000;
const ODD_TEXT = "line\u2028and paragraph\u2029 nul \u0000 lone \ud800 end";
const HUGE = 1_000_000;

/** What is wrong with a session, as its code asks for it. */
export interface Misconduct {
  readonly ignoresAbort: boolean;
  readonly neverStarts: boolean;
  readonly exitsEarly: boolean;
  readonly emitsLate: boolean;
  /** Sends what should not be sent, or throws what should not be thrown, at the start of a turn. */
  readonly beforeTurn: (scope: SessionScope) => void;
  /** Delays `close` until `stopped` says that the session was killed, or for a while. */
  readonly beforeClose: (stopped: () => boolean) => Promise<void>;
}

/** Turns a name into conduct. */
export function misconductOf(kind: Misbehaviour | undefined, settings: MockEngineOptions): Misconduct {
  const delay = settings.closeDelayMs ?? CLOSE_DELAY_MS;
  const patience = kind === "ignore_abort" ? Number.POSITIVE_INFINITY : kind === "slow_close" ? delay : 0;
  return {
    ignoresAbort: kind === "ignore_abort",
    neverStarts: kind === "never_start",
    exitsEarly: kind === "exit_early",
    emitsLate: kind === "late_events",
    beforeTurn: (scope) => {
      if (kind === "throw") {
        throw new EngineFailure({
          class: "transient",
          message: "the mock engine broke on demand",
          code: "mock_failure",
        });
      }
      if (kind === "throw_raw") throw new TypeError("the mock engine broke on demand");
      const text = kind === "odd_text" ? ODD_TEXT : kind === "huge_message" ? "x".repeat(HUGE) : null;
      if (text !== null) void scope.emit(scope.payloads.assistant(scope.ids.message(), { type: "text", text }, {}));
    },
    beforeClose: async (stopped) => {
      const started = performance.now();
      while (!stopped() && performance.now() - started < patience) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

/** What a session sends that does not know when it is over. */
export function afterEnd(turnId: string): EngineEvent[] {
  return [
    { kind: "message", payload: { type: "assistant", message: { role: "assistant", content: [], id: "msg_late" } } },
    { kind: "message", payload: { type: "result", subtype: "success", is_error: false, result: "late" }, final: true },
    { kind: "turn_end", turnId, reason: "complete" },
  ];
}
