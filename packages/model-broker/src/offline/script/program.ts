import type { ToolOutcome } from "../conversation.ts";
import type { Act, Call } from "./act.ts";

/** Values that a scenario carries from step to step: text, or the list of all matches. */
export type Vars = Readonly<Record<string, string | readonly string[]>>;

/** A step, ready to run. `when` false = the step is passed over. */
export type ProgramStep =
  | { readonly kind: "act"; when?(vars: Vars): boolean; act(vars: Vars): Act }
  | {
      readonly kind: "call";
      /** What the call is for, known before its input is. */
      readonly use: Call["kind"];
      when?(vars: Vars): boolean;
      call(vars: Vars): Call;
      /** The values after this call came back. */
      capture?(vars: Vars, outcome: ToolOutcome): Vars;
    };

/** What one user message compiles to. */
export interface Program {
  readonly scenario: string;
  readonly steps: readonly ProgramStep[];
}

/** Turns the text of a user message into a program. Must give the same for the same text at every call of a script. */
export type Compile = (text: string) => Program;
