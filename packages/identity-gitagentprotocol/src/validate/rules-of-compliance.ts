import { rule } from "./rule.ts";

/** Rules of the compliance block: checked when there is one; strict also asks for one. */
export const COMPLIANCE_RULES = [
  rule("C0", "there is no compliance block", "off", "warning"),
  rule("C1", "the compliance block has no `risk_tier`", "warning", "error"),
  rule("C2", "risk tier high or critical: `human_in_the_loop` is absent or none", "error"),
  rule("C3", "risk tier high or critical: `audit_logging` is not true", "error"),
  rule("C4", "risk tier high or critical: `validation_cadence` is rarer than quarterly", "warning"),
  rule("C5", "framework finra: `fair_balanced` or `no_misleading` is not true", "error"),
  rule("C6", "framework finra: there is no supervision or recordkeeping block", "warning"),
  rule("C7", "framework federal_reserve: there is no model_risk block, or no `ongoing_monitoring`", "error"),
  rule("C8", "framework sec: `audit_logging` is not true, or `pii_handling` is allow", "warning"),
  rule("C9", "framework cfpb: `bias_testing` is not true", "warning"),
  rule(
    "C10",
    "risk tier high or critical: the folder `compliance/` or one of its three artifacts is missing",
    "warning",
  ),
  rule("C11", "framework finra or federal_reserve: a dependency has no `vendor_management`", "warning"),
  rule("D1", "segregation of duties: fewer than two roles, or two with one id", "error"),
  rule("D2", "segregation of duties: a conflict names an unknown role, or one role twice", "error"),
  rule("D3", "segregation of duties: an assignment names an unknown role", "error"),
  rule("D4", "segregation of duties: an agent holds both roles of a conflict (a warning when advisory)", "error"),
  rule("D5", "segregation of duties: an assigned agent is neither in `agents` nor this one", "warning"),
  rule("D6", "segregation of duties: a handoff names an unknown role, or fewer than two different ones", "error"),
  rule("D7", "risk tier high or critical: duties are advisory, or state or credentials are not kept apart", "warning"),
  rule("D8", "segregation of duties: there are no conflicts, or a role that nobody holds", "warning"),
  rule("D9", "risk tier high or critical: two sub-agents or more without segregation of duties", "warning"),
  rule("F1", "financial governance is enabled with a spending cap of zero or less", "error"),
  rule("F2", "the firewall of financial governance is a URL instead of an identifier", "error"),
  rule("F3", "risk tier high or critical: a tool seems to handle money, without financial governance", "warning"),
] as const;
