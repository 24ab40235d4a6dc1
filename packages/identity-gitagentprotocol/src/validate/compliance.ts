import { isRecord, listAt, recordAt, textAt, valueAt } from "./raw.ts";
import { report, type Scope, targetOf, type YamlFile } from "./scope.ts";

const ARTIFACTS = ["regulatory-map.yaml", "validation-schedule.yaml", "risk-assessment.md"];

/** Path of the block in a manifest. */
export const BLOCK = "compliance";

/** True for risk tiers high and critical. */
export function isHighRisk(manifest: unknown): boolean {
  const tier = textAt(manifest, BLOCK, "risk_tier");
  return tier === "high" || tier === "critical";
}

/** The compliance block as such, and what its risk tier asks for: C0-C4, C10. False when there is no block. */
export async function checkCompliance(scope: Scope, yaml: YamlFile): Promise<boolean> {
  const block = recordAt(yaml.data, BLOCK);
  if (!block) {
    if (scope.depth === 0 && isRecord(yaml.data) && valueAt(yaml.data, BLOCK) === undefined) {
      report(scope, "C0", yaml, [BLOCK], "is missing: nothing says how risky this agent is");
    }
    return false;
  }
  if (block.risk_tier === undefined || block.risk_tier === null) {
    report(scope, "C1", yaml, [BLOCK, "risk_tier"], "is required in a compliance block");
  }
  if (!isHighRisk(yaml.data)) return true;
  const tier = `when risk_tier is ${String(block.risk_tier)}`;
  const hitl = valueAt(block, "supervision", "human_in_the_loop") ?? "none";
  if (hitl === "none") {
    report(scope, "C2", yaml, [BLOCK, "supervision", "human_in_the_loop"], `must be always or conditional ${tier}`);
  }
  if (valueAt(block, "recordkeeping", "audit_logging") !== true) {
    report(scope, "C3", yaml, [BLOCK, "recordkeeping", "audit_logging"], `must be true ${tier}`);
  }
  const cadence = textAt(block, "model_risk", "validation_cadence");
  if (cadence === "annual" || cadence === "semi_annual") {
    const message = `should be quarterly or monthly ${tier}`;
    report(scope, "C4", yaml, [BLOCK, "model_risk", "validation_cadence"], message);
  }
  await checkArtifacts(scope, yaml, tier);
  return true;
}

async function checkArtifacts(scope: Scope, yaml: YamlFile, tier: string): Promise<void> {
  if ((await targetOf(scope, "compliance")) !== "folder") {
    report(scope, "C10", yaml, [BLOCK, "risk_tier"], `there should be a folder compliance/ ${tier}`);
  }
  for (const name of ARTIFACTS) {
    if ((await targetOf(scope, `compliance/${name}`)) === "file") continue;
    report(scope, "C10", yaml, [BLOCK, "risk_tier"], `there should be a file compliance/${name} ${tier}`);
  }
}

/** What single frameworks ask for: C5-C9, C11. */
export function checkFrameworks(scope: Scope, yaml: YamlFile): void {
  const frameworks = new Set(listAt(yaml.data, BLOCK, "frameworks"));
  const block = recordAt(yaml.data, BLOCK);
  const need = (rule: "C5" | "C7" | "C8" | "C9", path: readonly string[], by: string): void => {
    if (valueAt(block, ...path) !== true) report(scope, rule, yaml, [BLOCK, ...path], `must be true under ${by}`);
  };
  if (frameworks.has("finra")) {
    need("C5", ["communications", "fair_balanced"], "finra");
    need("C5", ["communications", "no_misleading"], "finra");
    for (const part of ["supervision", "recordkeeping"]) {
      if (!recordAt(block, part)) report(scope, "C6", yaml, [BLOCK, part], "should be there under finra");
    }
  }
  if (frameworks.has("federal_reserve")) {
    if (recordAt(block, "model_risk")) need("C7", ["model_risk", "ongoing_monitoring"], "federal_reserve");
    else report(scope, "C7", yaml, [BLOCK, "model_risk"], "is required under federal_reserve");
  }
  if (frameworks.has("sec")) {
    need("C8", ["recordkeeping", "audit_logging"], "sec");
    if (valueAt(block, "data_governance", "pii_handling") === "allow") {
      report(scope, "C8", yaml, [BLOCK, "data_governance", "pii_handling"], "should not be allow under sec");
    }
  }
  if (frameworks.has("cfpb")) need("C9", ["data_governance", "bias_testing"], "cfpb");
  if (!frameworks.has("finra") && !frameworks.has("federal_reserve")) return;
  for (const [index, dependency] of listAt(yaml.data, "dependencies").entries()) {
    if (recordAt(dependency, "vendor_management")) continue;
    const at = ["dependencies", index, "vendor_management"];
    report(scope, "C11", yaml, at, "should be there under finra and federal_reserve");
  }
}
