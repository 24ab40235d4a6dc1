import type { Governance } from "@computeragent/protocol";
import type { GapAgent } from "../model/gap-agent.ts";

/** Upper ends of what a session's limits can say; a manifest that asks for more gets these. */
const MOST = { turns: 10_000, wallMs: 30 * 24 * 3_600_000, usd: 1_000_000 };

/** What the manifest demands: human in the loop, limits, and the frameworks to name in permission requests. */
export function toGovernance({ manifest, hitl, budgetUsd }: GapAgent): Governance {
  const turns = manifest.runtime?.max_turns;
  const seconds = manifest.runtime?.timeout;
  const limits = {
    ...(turns === undefined ? {} : { maxTurns: Math.min(turns, MOST.turns) }),
    ...(seconds === undefined ? {} : { maxWallMs: Math.min(seconds * 1000, MOST.wallMs) }),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: Math.min(budgetUsd, MOST.usd) }),
  };
  const frameworks = manifest.compliance?.frameworks ?? [];
  return {
    ...(hitl === undefined ? {} : { hitl }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(frameworks.length === 0 ? {} : { compliance: { framework: frameworks.join(", ") } }),
  };
}
