import { z } from "zod";
import { FinancialGovernance } from "./financial-governance.ts";
import { SegregationOfDuties } from "./segregation-of-duties.ts";
import { uniqueList, wholeFrom } from "./text.ts";

const flag = z.boolean().optional();
const classification = z.enum(["public", "internal", "confidential", "restricted"]);

const EscalationTrigger = z
  .strictObject({
    confidence_below: z.number().min(0).max(1).optional(),
    action_type: z.string().optional(),
    error_detected: flag,
    data_classification_above: classification.optional(),
    token_count_above: wholeFrom(1).optional(),
    custom: z.string().optional(),
  })
  .refine((trigger) => Object.keys(trigger).length === 1, { error: "must have exactly one condition" });

const Supervision = z.strictObject({
  designated_supervisor: z.string().nullable().optional(),
  review_cadence: z.enum(["daily", "weekly", "monthly", "quarterly", "semi_annual", "annual"]).optional(),
  human_in_the_loop: z.enum(["always", "conditional", "advisory", "none"]).optional(),
  escalation_triggers: z.array(EscalationTrigger).optional(),
  override_capability: flag,
  kill_switch: flag,
});

const Recordkeeping = z.strictObject({
  audit_logging: flag,
  log_format: z.enum(["structured_json", "plaintext"]).optional(),
  retention_period: z
    .string()
    .regex(/^\d+[ymd]$/, { error: "must be a number with y, m or d" })
    .optional(),
  log_contents: uniqueList(
    z.enum(["prompts_and_responses", "tool_calls", "decision_pathways", "model_version", "timestamps"]),
  ).optional(),
  immutable: flag,
});

const ModelRisk = z.strictObject({
  inventory_id: z.string().nullable().optional(),
  validation_cadence: z.enum(["monthly", "quarterly", "semi_annual", "annual"]).optional(),
  validation_type: z.enum(["full", "targeted", "change_based"]).optional(),
  conceptual_soundness: z.string().nullable().optional(),
  ongoing_monitoring: flag,
  outcomes_analysis: flag,
  drift_detection: flag,
  parallel_testing: flag,
});

const DataGovernance = z.strictObject({
  pii_handling: z.enum(["redact", "encrypt", "prohibit", "allow"]).optional(),
  data_classification: classification.optional(),
  consent_required: flag,
  cross_border: flag,
  bias_testing: flag,
  lda_search: flag,
});

const Communications = z.strictObject({
  type: z.enum(["correspondence", "retail", "institutional"]).optional(),
  pre_review_required: flag,
  fair_balanced: flag,
  no_misleading: flag,
  disclosures_required: flag,
});

const VendorManagement = z.strictObject({
  due_diligence_complete: flag,
  soc_report_required: flag,
  vendor_ai_notification: flag,
  subcontractor_assessment: flag,
});

/** The `compliance` block. Risk tiers high and critical need supervision by a human and an audit log. */
export const Compliance = z
  .strictObject({
    risk_tier: z.enum(["low", "standard", "high", "critical"]).optional(),
    frameworks: uniqueList(z.string()).optional(),
    supervision: Supervision.optional(),
    recordkeeping: Recordkeeping.optional(),
    model_risk: ModelRisk.optional(),
    data_governance: DataGovernance.optional(),
    communications: Communications.optional(),
    vendor_management: VendorManagement.optional(),
    segregation_of_duties: SegregationOfDuties.optional(),
    financial_governance: FinancialGovernance.optional(),
  })
  .superRefine((block, context) => {
    if (block.risk_tier !== "high" && block.risk_tier !== "critical") return;
    const hitl = block.supervision?.human_in_the_loop;
    if (hitl !== "always" && hitl !== "conditional") {
      const message = `must be always or conditional when risk_tier is ${block.risk_tier}`;
      context.addIssue({ code: "custom", path: ["supervision", "human_in_the_loop"], message });
    }
    if (block.recordkeeping?.audit_logging !== true) {
      const message = `must be true when risk_tier is ${block.risk_tier}`;
      context.addIssue({ code: "custom", path: ["recordkeeping", "audit_logging"], message });
    }
  });
export type Compliance = z.infer<typeof Compliance>;
