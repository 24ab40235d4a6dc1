import type { Rule } from "./rule.ts";
import { COMPLIANCE_RULES } from "./rules-of-compliance.ts";
import { OWN_RULES } from "./rules-of-our-own.ts";
import { PART_RULES } from "./rules-of-parts.ts";

const all = [...PART_RULES, ...COMPLIANCE_RULES, ...OWN_RULES] as const;

/** Stable id of a rule. */
export type RuleId = (typeof all)[number]["id"];

/** Every rule, in the order of the page that explains them. */
export const RULES: readonly (Rule & { readonly id: RuleId })[] = all;

const byId = new Map<RuleId, Rule>(RULES.map((rule) => [rule.id, rule]));

/** Severity of a rule in a profile. */
export function severityOf(id: RuleId, profile: "lenient" | "strict"): Rule["lenient"] {
  return byId.get(id)?.[profile] ?? "error";
}
