import type { EngineErrorData } from "@computeragent/protocol";
import type { ChildExit } from "@computeragent/supervisor";
import { scrub } from "./scrub.ts";

/** What is known about the end of a process. */
export interface ProcessEnd {
  /** Absent if nothing was spawned. */
  readonly exit?: ChildExit;
  readonly thrown: unknown;
  /** True if it ever sent a message. */
  readonly answered: boolean;
  readonly timedOut: boolean;
  /** Already without secrets. */
  readonly stderr: string;
  readonly secrets: readonly string[];
}

/** The process ended as if all were done, but was not. */
export const ENDED_EARLY: EngineErrorData = {
  class: "transient",
  code: "engine_exited",
  message: "Claude Code ended in the middle of a turn.",
};

/** Why a process ended, for people; undefined if it ended as it should. */
export function describeExit(end: ProcessEnd): EngineErrorData | undefined {
  const { exit } = end;
  if (end.timedOut)
    return told("transient", "start_timeout", "Claude Code did not answer in time after its start", end);
  if (exit?.error) return startError(exit.error, end);
  if (!exit) return sdkError(end);
  if (exit.signal) return told("transient", "engine_killed", `Claude Code was killed by ${exit.signal}`, end);
  if (exit.code !== 0 && exit.code !== null) {
    const errorClass = end.answered ? "transient" : "permanent";
    return told(errorClass, "engine_exited", `Claude Code exited with code ${exit.code}`, end);
  }
  if (!end.answered) return told("permanent", "engine_exited", "Claude Code ended without an answer", end);
  return undefined;
}

function startError(error: Error, end: ProcessEnd): EngineErrorData {
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const lasting = code === "ENOENT" || code === "EACCES" || code === "ENOEXEC";
  const why = code ?? scrub(error.message, end.secrets);
  return told(lasting ? "permanent" : "transient", "engine_not_started", `Claude Code cannot be started (${why})`, end);
}

function sdkError({ thrown, secrets }: ProcessEnd): EngineErrorData | undefined {
  if (thrown === undefined) return undefined;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return { class: "permanent", code: "engine_not_started", message: scrub(text, secrets) };
}

function told(errorClass: EngineErrorData["class"], code: string, what: string, end: ProcessEnd): EngineErrorData {
  return { class: errorClass, code, message: end.stderr === "" ? `${what}.` : `${what}: ${end.stderr}` };
}
