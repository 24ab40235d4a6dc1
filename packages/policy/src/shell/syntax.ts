/** A piece of a word. `quoted`: no splitting, globbing or tilde expansion happens to it. */
export type Part =
  | { readonly type: "text"; readonly text: string; readonly quoted: boolean }
  /** `$NAME`, `${NAME…}`, arithmetic: a value that is not known beforehand. `evaluates`: the shell takes a variable's text as an expression, which may hold a command. */
  | { readonly type: "value"; readonly evaluates?: true }
  /** `$(…)`, backticks: a script whose output becomes text; `<(…)`: one whose output is a file (`stream`). */
  | { readonly type: "script"; readonly script: Script; readonly stream?: true };

/** One word of a command line. */
export interface Word {
  readonly parts: readonly Part[];
}

/** `NAME=value` before a command. */
export interface Assignment {
  readonly name: string;
  readonly value: Word;
}

/** A redirection; `body` is the text of a here-document or here-string. */
export type Redirect =
  | { readonly op: "read" | "write" | "append" | "both" | "duplicate"; readonly target: Word }
  | { readonly op: "document"; readonly body: Word };

/** A command with its arguments. */
export interface SimpleCommand {
  readonly type: "simple";
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** `( … )`. */
export interface Subshell {
  readonly type: "subshell";
  readonly script: Script;
  readonly redirects: readonly Redirect[];
}

/** A command of a pipeline. */
export type Command = SimpleCommand | Subshell;

/** Commands joined by `|`, and what joins the pipeline to the one before it. */
export interface Step {
  readonly joint: "start" | "and" | "or" | "then";
  readonly pipeline: readonly Command[];
}

/** A command line, in the order of execution. Keywords of loops and conditions only sequence commands, so they are left out. */
export interface Script {
  readonly steps: readonly Step[];
}

/** A command line that is not understood; never leaves this package. */
export class NotUnderstood extends Error {
  constructor(what: string) {
    super(what);
    this.name = "NotUnderstood";
  }
}
