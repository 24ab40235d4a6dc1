import type { GapAgent } from "../model/gap-agent.ts";
import type { NoticeList } from "../model/notices.ts";
import { type DataPath, placeIn } from "../parse/pointer.ts";
import { noteUnsupportedCompliance } from "./unsupported-compliance.ts";

const MANIFEST = "agent.yaml";

/** Manifest keys that have no effect, with the area of their notice code and what that means. */
const KEYS = [
  ["extends", "extends", "The parent is not loaded: nothing is inherited from it."],
  ["dependencies", "dependencies", "Dependencies are not fetched."],
  ["tools", "tools", "The tools are not offered to the engine."],
  ["agents", "agents", "Sub-agents are not offered to the engine."],
  ["delegation", "agents", "Delegation rules have no effect: there are no sub-agents."],
  ["a2a", "a2a", "The agent is not served to other agents."],
  ["registries", "registries", "Skill registries are not asked."],
  ["mcp_servers", "mcp_servers", "The MCP servers are not started or connected."],
] as const;

/** Folders and files that have no effect. */
const PARTS: Readonly<Record<string, readonly [area: string, message: string]>> = {
  ".agents/skills": ["skill_location", "Only skills in the folder skills/ are offered."],
  ".claude/skills": ["skill_location", "Only skills in the folder skills/ are offered."],
  ".github/skills": ["skill_location", "Only skills in the folder skills/ are offered."],
  ".gitagent_adapter": ["adapter_hint", "The caller names the engine: this hint has no effect."],
  ".github_models": ["adapter_hint", "The caller names the engine: this hint has no effect."],
  ".lyzr_agent_id": ["adapter_hint", "The caller names the engine: this hint has no effect."],
  "PROMPT.md": ["prompt", "The text is not part of the instructions."],
  agents: ["agents", "Sub-agents are not offered to the engine."],
  compliance: ["compliance_artifacts", "Compliance documents are not read."],
  config: ["config", "Configuration per environment has no effect."],
  "context.md": ["context", "The text is not part of the instructions."],
  examples: ["examples", "Example answers are not part of the instructions."],
  hooks: ["hooks", "Hooks do not run, and so they block nothing."],
  knowledge: [
    "knowledge",
    "Only documents that index.yaml marks always_load are in the prompt; tags and priorities have no effect.",
  ],
  memory: ["memory", "Memory is neither loaded nor updated."],
  tools: ["tools", "The tools are not offered to the engine."],
  workflows: ["workflows", "Workflows do not run."],
};

/** A notice for everything that the manifest or the repository says and no engine is told. */
export function noteUnsupported(agent: GapAgent, notices: NoticeList): void {
  const { manifest, otherParts } = agent;
  const note = (area: string, path: DataPath, message: string): void =>
    notices.add("warning", `gap.unsupported.${area}`, placeIn(MANIFEST, path), message);

  for (const key of Object.keys(manifest.model?.constraints ?? {})) {
    note("model_constraints", ["model", "constraints", key], `${key} is not passed to the model.`);
  }
  if (manifest.runtime?.temperature !== undefined) {
    note("temperature", ["runtime", "temperature"], "The temperature is not passed to the model.");
  }
  for (const [key, area, message] of KEYS) if (manifest[key] !== undefined) note(area, [key], message);
  if (manifest.compliance) noteUnsupportedCompliance(manifest.compliance, note);
  for (const key of ["author", "license", "tags"] as const) {
    if (manifest[key] === undefined) continue;
    notices.add("info", "gap.descriptive", placeIn(MANIFEST, [key]), `${key} is for readers only: it has no effect.`);
  }
  for (const key of Object.keys(manifest.metadata ?? {})) {
    if (key === "budget_usd") continue;
    notices.add("info", "gap.descriptive", placeIn(MANIFEST, ["metadata", key]), `${key} has no effect.`);
  }
  if (manifest.spec_version !== undefined && !/^0\.1\./.test(manifest.spec_version)) {
    const message = `Read as spec version 0.1.0, though it says ${manifest.spec_version}.`;
    notices.add("info", "gap.spec_version", placeIn(MANIFEST, ["spec_version"]), message);
  }
  for (const part of otherParts) {
    const [area, message] = PARTS[part] ?? ["other", "This part of the repository has no effect."];
    notices.add(area === "adapter_hint" ? "info" : "warning", `gap.unsupported.${area}`, part, message);
  }
}
