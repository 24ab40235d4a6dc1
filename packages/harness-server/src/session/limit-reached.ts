import type { Limits } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";

/** What can be ended for a limit. */
interface Endable {
  readonly ending: boolean;
  end(reason: "budget_exceeded"): Promise<void>;
}

/** Ends a session that has used up a limit, and says which. */
export function limitReached(log: EventLog, runner: Endable, limit: keyof Limits, detail: string): void {
  if (runner.ending) return;
  log.emit("ca_notice", { level: "warning", code: `limit.${limit}`, message: detail });
  void runner.end("budget_exceeded");
}
