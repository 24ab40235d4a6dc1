import { setTimeout as wait } from "node:timers/promises";
import type { EngineErrorData } from "@computeragent/protocol";
import type { TurnScope } from "../turn-scope.ts";
import { say } from "./say.ts";

const STOPPED_BEFORE_RESULT = "API Error";

function classOf(status: number): EngineErrorData["class"] {
  if (status === 429) return "limited";
  return status >= 500 || status === 408 ? "transient" : "permanent";
}

/** `!sleep` */
export async function sleep({ ms }: { ms: number }, turn: TurnScope): Promise<void> {
  await wait(ms, undefined, { signal: turn.signal });
}

/** `!usage`: what the turn is said to have used; several add up. */
export async function usage({ input, output }: { input: number; output: number }, turn: TurnScope): Promise<void> {
  turn.meter.state(input, output);
}

/** `!error`: the model call fails, and with it the turn. */
export async function error({ status }: { status: number }, turn: TurnScope): Promise<void> {
  const message = `${STOPPED_BEFORE_RESULT}: ${status}`;
  await say({ text: message }, turn);
  turn.stop("error", { class: classOf(status), message, code: `http_${status}` });
}

/** A line that is no directive: answered with what is wrong, as the offline model does. */
export async function invalid({ message }: { message: string }, turn: TurnScope): Promise<void> {
  await say({ text: message }, turn);
}
