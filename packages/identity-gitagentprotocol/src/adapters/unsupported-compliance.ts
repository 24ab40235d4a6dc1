import type { DataPath } from "../parse/pointer.ts";
import type { Compliance } from "../schema/compliance.ts";

/** Fields of `supervision` without effect. `human_in_the_loop` is enforced. */
const SUPERVISION = [
  ["designated_supervisor", "Nobody is told by name: whoever may answer permission requests does."],
  ["review_cadence", "Reviews are not scheduled."],
  ["escalation_triggers", "Triggers do not raise permission requests; human_in_the_loop and the caller's mode do."],
  ["kill_switch", "Every session can be stopped at any time, whatever this says."],
  ["override_capability", "Permission requests can always be answered otherwise."],
] as const;

/** Blocks without effect. */
const BLOCKS = [
  ["recordkeeping", "The event log is kept as the host is configured, not as this block asks."],
  ["model_risk", "Model risk controls are not carried out."],
  ["data_governance", "Data rules are not enforced: personal data is not found, redacted or encrypted."],
  ["communications", "Outgoing texts are not reviewed."],
  ["vendor_management", "Vendor controls are not carried out."],
  ["segregation_of_duties", "Roles, conflicts and handoffs are not enforced."],
  ["financial_governance", "Spending caps and approvals are not enforced."],
] as const;

/** A notice for each part of the block that is not enforced. */
export function noteUnsupportedCompliance(
  block: Compliance,
  note: (area: string, path: DataPath, message: string) => void,
): void {
  if (block.risk_tier !== undefined) {
    note("risk_tier", ["compliance", "risk_tier"], "The tier changes nothing by itself: human_in_the_loop does.");
  }
  for (const [key, message] of SUPERVISION) {
    if (block.supervision?.[key] !== undefined) note("supervision", ["compliance", "supervision", key], message);
  }
  for (const [key, message] of BLOCKS) {
    if (block[key] !== undefined) note(key, ["compliance", key], message);
  }
}
