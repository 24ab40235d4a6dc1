import type { OfferedTool, ToolOutcome } from "../conversation.ts";
import type { Act } from "./act.ts";
import type { ProgramStep } from "./program.ts";
import type { ScriptState } from "./state.ts";
import { findTool, isToolFor, toToolUse } from "./tools.ts";

/** Where a script runs: what the engine offers. */
export interface Surroundings {
  readonly tools: readonly OfferedTool[];
  readonly cwd?: string;
}

/** The part of a script that is the next answer. */
export interface Pending {
  readonly acts: readonly Act[];
  /** The script is over after this answer. */
  readonly final: boolean;
  /** This answer is an error, however often it is asked for. */
  readonly fails: boolean;
}

/** The state after a tool call came back: it completes the next tool step. */
export function advance(
  state: ScriptState,
  steps: readonly ProgramStep[],
  outcome: ToolOutcome,
  { tools }: Surroundings,
): ScriptState {
  for (let index = state.next; index < steps.length; index++) {
    const step = steps[index];
    if (!step || step.when?.(state.vars) === false) continue;
    if (step.kind === "act") {
      if (step.act(state.vars).kind === "error") return state;
      continue;
    }
    const offered = step.use === "tool" || findTool(step.use, tools) !== null || isToolFor(step.use, outcome.name);
    if (!offered) continue;
    const vars = step.capture?.(state.vars, outcome) ?? state.vars;
    return { ...state, vars, next: index + 1, ran: state.ran + 1 };
  }
  return state;
}

const tally = (ran: number): string => (ran === 1 ? "1 step ran" : `${ran} steps ran`);

/** What the offline model says when nothing of the script is left. */
export const finishedText = (ran: number): string => `Done: the offline script is finished, ${tally(ran)}.`;

/** The next answer: everything up to and including the next tool step, or up to an error or the end. */
export function pending(state: ScriptState, steps: readonly ProgramStep[], { tools, cwd }: Surroundings): Pending {
  const acts: Act[] = [];
  for (let index = state.next; index < steps.length; index++) {
    const step = steps[index];
    if (!step || step.when?.(state.vars) === false) continue;
    if (step.kind === "act") {
      const act = step.act(state.vars);
      acts.push(act);
      if (act.kind === "error") return { acts, final: true, fails: true };
      continue;
    }
    const use = toToolUse(step.call(state.vars), tools, cwd);
    if (use) return { acts: [...acts, { kind: "tool", ...use }], final: false, fails: false };
    acts.push({ kind: "text", text: `The engine offers no tool for !${step.use}: the step is left out.` });
  }
  if (textBlocks(acts) === 0) acts.push({ kind: "text", text: finishedText(state.ran) });
  return { acts, final: true, fails: false };
}

/** How many text blocks these acts make: neighbouring texts are one, a thought parts them. */
export function textBlocks(acts: readonly Act[]): number {
  let blocks = 0;
  let open = false;
  for (const act of acts) {
    const isText = act.kind === "text" || act.kind === "stream";
    if (isText && !open) blocks++;
    if (isText) open = true;
    else if (act.kind === "think" || act.kind === "tool") open = false;
  }
  return blocks;
}
