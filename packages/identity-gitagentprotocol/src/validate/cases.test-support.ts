import type { Files } from "./agents.test-support.ts";
import { compliance, duties, highRisk, manifest, skill, sod, tool, workflow } from "./agents.test-support.ts";
import type { RuleId } from "./rules.ts";

const hooks = (entry: string): Files => ({ "hooks/hooks.yaml": `hooks:\n  on_error:\n    - ${entry}\n` });
const finra = "communications: {fair_balanced: true, no_misleading: true}";
const sub = (name: string): Files => ({ [`agents/${name}.md`]: "Help.\n" });
const script = (path: string): string => tool("t", `implementation: {type: script, path: ${path}, runtime: bash}\n`);
const lines = (count: number): string => "a line\n".repeat(count);
const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`config/${index}.txt`, ""]));

/** For each rule an agent that breaks it and no other. */
export const CASES: Readonly<Record<RuleId, Files>> = {
  A1: { "agent.yaml": "name: [\n" },
  A2: manifest("runtime: {max_turns: 0}\n"),
  A3: manifest("skills: [absent]\n"),
  A4: { ...manifest("skills: [hollow]\n"), "skills/hollow/notes.txt": "x" },
  A5: manifest("tools: [absent]\n"),
  A6: manifest("agents: {absent: {}}\n"),
  S1: { "SOUL.md": null },
  S2: { "SOUL.md": " \n\n" },
  S3: { "SOUL.md": "# Soul\n## More\n" },
  H1: { "hooks/hooks.yaml": "hooks:\n" },
  H2: hooks("{script: scripts/absent.sh, description: Absent}"),
  H3: { "hooks/hooks.yaml": "hooks: [\n" },
  T1: { "tools/t.yaml": tool("t", "version: one\n") },
  T2: { "tools/t.yaml": "name: [\n" },
  K1: { "skills/s/SKILL.md": "No frontmatter.\n" },
  K2: { "skills/s/SKILL.md": skill("s", "license: 3\n") },
  K3: { "skills/s/SKILL.md": skill("other") },
  K4: { "skills/a--b/SKILL.md": skill("a--b") },
  K5: { "skills/s/SKILL.md": skill("s", "", "x".repeat(20_001)) },
  C0: { "agent.yaml": "name: tiny\nversion: 1.0.0\ndescription: Tiny\n" },
  C1: compliance("frameworks: []"),
  C2: highRisk("", "", "supervision: {human_in_the_loop: none}, recordkeeping: {audit_logging: true}"),
  C3: highRisk("", "", "supervision: {human_in_the_loop: always}, recordkeeping: {audit_logging: false}"),
  C4: highRisk(", model_risk: {validation_cadence: annual}"),
  C5: compliance("risk_tier: low, frameworks: [finra], supervision: {}, recordkeeping: {}"),
  C6: compliance(`risk_tier: low, frameworks: [finra], recordkeeping: {}, ${finra}`),
  C7: compliance("risk_tier: low, frameworks: [federal_reserve], model_risk: {}"),
  C8: compliance("risk_tier: low, frameworks: [sec], data_governance: {pii_handling: allow}"),
  C9: compliance("risk_tier: low, frameworks: [cfpb]"),
  C10: { ...highRisk(), "compliance/risk-assessment.md": null },
  C11: compliance(
    `risk_tier: low, frameworks: [finra], supervision: {}, recordkeeping: {}, ${finra}`,
    "dependencies: [{name: d, source: https://git.example/d.git}]\n",
  ),
  D1: compliance(
    "risk_tier: low, segregation_of_duties: {roles: [{id: a, description: A}, {id: b, description: B}, {id: a, description: C}], conflicts: [[a, b]]}",
  ),
  D2: duties("", "[[a, zz], [a, b]]"),
  D3: duties(", assignments: {x: [a, zz], y: [b]}"),
  D4: duties(", assignments: {x: [a, b]}"),
  D5: { ...duties(", assignments: {s: [a], ghost: [b]}", "[[a, b]]", "agents: {s: {}}\n"), ...sub("s") },
  D6: duties(", handoffs: [{action: ship, required_roles: [a, a]}]"),
  D7: highRisk(`, ${sod()}`),
  D8: duties("", "[]"),
  D9: { ...highRisk("", "agents: {s: {}, t: {}}\n"), ...sub("s"), ...sub("t") },
  F1: compliance("risk_tier: low, financial_governance: {enabled: true, spending: {max_per_transaction_cents: 0}}"),
  F2: compliance('risk_tier: low, financial_governance: {enabled: true, firewall: "https://fw.example"}'),
  F3: { ...highRisk("", "tools: [pay-bill]\n"), "tools/pay-bill.yaml": tool("pay-bill") },
  X1: manifest("display_name: Tiny\n"),
  X2: manifest("runtime: {budget_usd: 2}\n"),
  X3: { "agent.yaml": "name: tiny\nversion: 1.0.0\ncompliance: {risk_tier: low}\n" },
  X4: { "agents/s/notes.txt": "x" },
  X5: { "agents/s": "-> .." },
  X6: { "agents/s/agent.yaml": "name: other\nversion: 1.0.0\ndescription: Sub\n", "agents/s/SOUL.md": "You help.\n" },
  X7: manifest("delegation: {mode: router}\n"),
  X8: { "tools/t.yaml": tool("other") },
  X9: { "tools/t.yaml": script("absent.sh") },
  X10: { "tools/t.yaml": script("../../absent.sh") },
  X11: { "tools/same.yaml": tool("same"), "skills/same/SKILL.md": skill("same") },
  X12: { ...manifest("skills: []\n"), "skills/s/SKILL.md": skill("s") },
  X13: { "memory/memory.yaml": "layers: {}\n" },
  X14: { "memory/MEMORY.md": lines(201) },
  X15: { "knowledge/index.yaml": "documents: {}\n" },
  X16: { "knowledge/index.yaml": "documents: [{path: absent.md}]\n" },
  X17: { "workflows/w.yaml": "name: w\nsteps: []\n" },
  X18: {
    "workflows/w.yaml": workflow("  - {id: a, action: x, depends_on: [b]}\n  - {id: b, action: x, depends_on: [a]}\n"),
  },
  X19: { "workflows/w.yaml": workflow("  - {id: a, action: x, tool: absent}\n") },
  X20: { "config/default.yaml": "log_level: loud\n" },
  X21: { "RULES.md": "<folder>" },
  X22: { "RULES.md": lines(10_000) },
  X23: many,
};
