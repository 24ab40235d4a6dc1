import type { RuleId } from "./rules.ts";
import type { Profile, Severity } from "./severity.ts";

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
