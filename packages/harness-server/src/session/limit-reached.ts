import type { Limits } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import type { SessionRunner } from "./session-runner.ts";

/** Ends a session that has used up a limit, and says which. */
export function limitReached(log: EventLog, runner: SessionRunner, limit: keyof Limits, detail: string): void {
  if (runner.ending) return;
  log.emit("ca_notice", { level: "warning", code: `limit.${limit}`, message: detail });
  void runner.end("budget_exceeded");
}
