import type { DirectiveStep } from "@computeragent/protocol/directives";
import type { TurnScope } from "../turn-scope.ts";
import { error, invalid, sleep, usage } from "./control.ts";
import { say, think } from "./say.ts";
import { stream } from "./stream.ts";
import { ask, bash, edit, read, tool, write } from "./tools.ts";

type Runner<K extends DirectiveStep["kind"]> = (
  step: Extract<DirectiveStep, { kind: K }>,
  turn: TurnScope,
) => Promise<void>;

const RUNNERS: { readonly [K in DirectiveStep["kind"]]: Runner<K> } = {
  say,
  think,
  bash,
  read,
  write,
  edit,
  tool,
  ask,
  stream,
  sleep,
  error,
  usage,
  invalid,
};

/** Runs one step of a script. Rejects only when the turn was aborted or the engine itself broke. */
export function runStep<K extends DirectiveStep["kind"]>(
  step: Extract<DirectiveStep, { kind: K }>,
  turn: TurnScope,
): Promise<void> {
  const runner: Runner<K> = RUNNERS[step.kind as K];
  return runner(step, turn);
}

/** True for steps that count against `maxTurns`: those that a model would have to answer. */
export function isModelStep(step: DirectiveStep): boolean {
  return step.kind !== "usage" && step.kind !== "sleep";
}
