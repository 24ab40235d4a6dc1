import type { Severity } from "./severity.ts";

/** What is known of a rule. `off`: it is not checked in that profile. */
export interface Rule {
  readonly id: string;
  readonly what: string;
  readonly lenient: Severity | "off";
  readonly strict: Severity;
}

/** Builds a rule; typed so that ids stay literal. */
export function rule<const Id extends string>(
  id: Id,
  what: string,
  lenient: Severity | "off",
  strict: Severity = lenient === "off" ? "warning" : lenient,
): Rule & { readonly id: Id } {
  return { id, what, lenient, strict };
}
