import type { Hitl } from "@computeragent/protocol";
import { normaliseDialects } from "../parse/dialects.ts";
import { placeIn } from "../parse/pointer.ts";
import { AgentYaml } from "../schema/agent-yaml.ts";
import type { IdentityFolder } from "./identity-folder.ts";
import type { Report } from "./report.ts";
import { addViolation, readData, readYaml } from "./structured.ts";

/** The manifest of every agent. */
export const MANIFEST = "agent.yaml";
/** A manifest is some kilobytes; the bound keeps hostile YAML cheap. */
const MAX_BYTES = 64 * 1024;
const RULES = { parse: "A1", schema: "A2" };

/** A manifest with what other dialects add to it. `lineOf` as in `YamlSource`. */
export interface ManifestReading {
  readonly manifest: AgentYaml;
  readonly hitl?: Hitl;
  readonly budgetUsd?: number;
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** Reads `agent.yaml`; undefined (with problems in the report) when it cannot be used. */
export async function readManifest(folder: IdentityFolder, report: Report): Promise<ManifestReading | undefined> {
  const problem = (message: string): undefined => {
    report.issues.push({ rule: RULES.parse, file: MANIFEST, pointer: "", message });
  };
  const content = await folder.readText(MANIFEST, MAX_BYTES);
  if (content.kind === "missing" && content.link) return problem("is a link that leads outside or nowhere");
  if (content.kind === "missing") {
    const other = (await folder.resolve("agent.yml")) !== undefined;
    return problem(other ? "is missing (agent.yml is not read: rename it)" : "is missing");
  }
  if (content.kind === "refused") return problem(content.why);
  if (content.cut) return problem(`is larger than ${MAX_BYTES} bytes`);
  const source = readYaml(MANIFEST, content.text, RULES, report);
  if (!source) return undefined;
  const { hitl, budgetUsd, violations, mended } = normaliseDialects(source.data);
  const manifest = readData(MANIFEST, source, AgentYaml, RULES, report);
  for (const { path, message } of mended) {
    report.notices.add("warning", "gap.dialect", placeIn(MANIFEST, path), message);
  }
  for (const { path, message } of violations) addViolation(MANIFEST, source, path, message, RULES.schema, report);
  if (!manifest) return undefined;
  const spoken = hitl ?? manifest.compliance?.supervision?.human_in_the_loop;
  const budget = smaller(budgetUsd, metadataBudget(manifest, report));
  return {
    manifest,
    lineOf: source.lineOf,
    ...(spoken === undefined ? {} : { hitl: spoken }),
    ...(budget === undefined ? {} : { budgetUsd: budget }),
  };
}

/** `metadata.budget_usd`: the one place for a budget that every dialect accepts. */
function metadataBudget(manifest: AgentYaml, report: Report): number | undefined {
  const budget = manifest.metadata?.budget_usd;
  if (budget === undefined || (typeof budget === "number" && budget > 0)) return budget;
  const message = "A budget must be a number above 0: this one has no effect.";
  report.notices.add("warning", "gap.unsupported.budget", placeIn(MANIFEST, ["metadata", "budget_usd"]), message);
  return undefined;
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
