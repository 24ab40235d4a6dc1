import type { RuleId } from "./rules.ts";

/** How bad a finding is: an `error` makes an agent invalid, the others do not. */
export type Severity = "error" | "warning" | "info";

/** How strict a validation is. `lenient` judges as the loader does, `strict` as the published schemas, and more. */
export type Profile = "lenient" | "strict";

/** One thing that a validation found. */
export interface Finding {
  /** Stable id; docs/gap-rules.md explains each. */
  readonly rule: RuleId;
  readonly severity: Severity;
  /** Path inside the agent, with `/`. */
  readonly file: string;
  /** RFC 6901 pointer into the file's data, the offending or missing property included; "" is the file itself. */
  readonly pointer: string;
  /** Line from 1 of the place, or of the nearest place around it; null when there is none. */
  readonly line: number | null;
  readonly message: string;
}

/** The outcome of a validation. Valid means: no finding is an error. */
export interface Validation {
  readonly profile: Profile;
  readonly valid: boolean;
  /** From `agent.yaml`, if it has both as text. */
  readonly agent: { readonly name: string; readonly version: string } | null;
  /** Sorted by file, line, pointer and rule. */
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<Severity, number>>;
}
