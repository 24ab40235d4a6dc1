import type { EngineErrorData } from "@computeragent/protocol";
import type { ChildExit } from "@computeragent/supervisor";
import { scrub } from "./scrub.ts";

/** What is known about the end of a process. */
export interface ProcessEnd {
  /** Absent if nothing was spawned. */
  readonly exit?: ChildExit;
  /** Why this host killed it. */
  readonly fault?: EngineErrorData;
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
  const { exit, fault } = end;
  if (end.timedOut)
    return told("transient", "start_timeout", "Claude Code did not answer in time after its start", end);
  if (fault) return told(fault.class, fault.code ?? "engine_killed", fault.message, end);
  if (exit?.error) return startError(exit.error, end);
  if (!exit) return sdkError(end);
  if (exit.signal) return told("transient", "engine_killed", `Claude Code was killed by ${exit.signal}`, end);
  if (exit.code !== 0 && exit.code !== null) {
    const errorClass = end.answered ? "transient" : "permanent";
    return told(errorClass, "engine_exited", `Claude Code exited with code ${exit.code}`, end);
  }
  if (!end.answered) {
    const why = end.thrown === undefined ? "" : ` (${textOf(end)})`;
    return told("permanent", "engine_exited", `Claude Code ended without an answer${why}`, end);
  }
  if (end.thrown === undefined) return undefined;
  return told("transient", "engine_exited", `Claude Code could not be understood (${textOf(end)})`, end);
}

function startError(error: Error, end: ProcessEnd): EngineErrorData {
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const lasting = code === "ENOENT" || code === "EACCES" || code === "ENOEXEC";
  const why = code ?? scrub(error.message, end.secrets);
  return told(lasting ? "permanent" : "transient", "engine_not_started", `Claude Code cannot be started (${why})`, end);
}

function sdkError(end: ProcessEnd): EngineErrorData | undefined {
  if (end.thrown === undefined) return undefined;
  return { class: "permanent", code: "engine_not_started", message: textOf(end) };
}

function textOf({ thrown, secrets }: ProcessEnd): string {
  return scrub(thrown instanceof Error ? thrown.message : String(thrown), secrets);
}

function told(errorClass: EngineErrorData["class"], code: string, what: string, end: ProcessEnd): EngineErrorData {
  return { class: errorClass, code, message: end.stderr === "" ? `${what}.` : `${what}: ${end.stderr}` };
}
