import { realpath } from "node:fs/promises";
import { IdentityFolder } from "../read/identity-folder.ts";
import { checkArtifacts } from "./artifacts.ts";
import { checkCompliance, checkFrameworks } from "./compliance.ts";
import { checkConfig } from "./config.ts";
import { checkDocuments } from "./documents.ts";
import { checkDuties } from "./duties.ts";
import { checkEndings } from "./endings.ts";
import { checkFinance } from "./finance.ts";
import type { Finding, Validation } from "./finding.ts";
import { checkHooks } from "./hooks.ts";
import { checkKnowledge } from "./knowledge.ts";
import { checkLeftOut } from "./left-out.ts";
import { checkManifest, checkReferences } from "./manifest.ts";
import { checkMarketplace } from "./marketplace.ts";
import { checkMemory } from "./memory.ts";
import { checkAllowedTools, checkDuplicates, checkUnlisted } from "./names.ts";
import { checkNotLoaded } from "./not-loaded.ts";
import type { ValidateOptions } from "./options.ts";
import { textAt } from "./raw.ts";
import type { Scope, YamlFile } from "./scope.ts";
import type { Severity } from "./severity.ts";
import { Sink } from "./sink.ts";
import { checkSkills } from "./skills.ts";
import { checkSubAgents } from "./sub-agents.ts";
import { checkTools } from "./tools.ts";
import { agentNamesOf, checkWorkflows } from "./workflows.ts";

/**
 * Checks every part of the agent in a folder, its sub-agents included. Rejects only when there is no such folder, and
 * with the signal's reason.
 */
export async function validateAgent(
  dir: string,
  { profile = "lenient", signal, findSecrets, isLeftOut, notLoaded = [] }: ValidateOptions = {},
): Promise<Validation> {
  const root = await realpath(dir);
  const folder = await IdentityFolder.open(root);
  const sink = new Sink(profile);
  const scope: Scope = {
    folder,
    root,
    prefix: "",
    depth: 0,
    profile,
    sink,
    signal,
    findSecrets,
    isLeftOut,
    notLoaded,
    seen: new Set([root]),
    parsed: { yaml: 0 },
  };
  const manifest = await checkAgent(scope);
  const findings = sink.all();
  const counts = countsOf(findings);
  return { profile, valid: counts.error === 0, agent: agentOf(manifest), findings, counts };
}

async function checkAgent(scope: Scope): Promise<YamlFile | undefined> {
  const manifest = await checkManifest(scope);
  await checkDocuments(scope);
  await checkHooks(scope);
  const skills = await checkSkills(scope);
  const tools = await checkTools(scope);
  await checkKnowledge(scope);
  await checkMemory(scope);
  await checkConfig(scope);
  await checkMarketplace(scope, skills);
  await checkArtifacts(scope);
  await checkEndings(scope);
  checkDuplicates(scope, skills, tools);
  checkAllowedTools(scope, skills, tools);
  const agents = await checkSubAgents(scope, checkAgent);
  checkNotLoaded(scope, await checkLeftOut(scope, manifest?.data));
  await checkWorkflows(scope, agentNamesOf(manifest?.data));
  if (manifest) {
    await checkReferences(scope, manifest);
    const names = (things: typeof tools): string[] => things.map(({ stem }) => stem);
    checkUnlisted(scope, manifest.data, { skills: names(skills), tools: names(tools), agents });
    await checkGovernance(scope, manifest);
  }
  return manifest;
}

async function checkGovernance(scope: Scope, manifest: YamlFile): Promise<void> {
  if (!(await checkCompliance(scope, manifest))) return;
  checkFrameworks(scope, manifest);
  checkDuties(scope, manifest);
  checkFinance(scope, manifest);
}

function agentOf(manifest: YamlFile | undefined): Validation["agent"] {
  const name = textAt(manifest?.data, "name");
  const version = textAt(manifest?.data, "version");
  return name === undefined || version === undefined ? null : { name, version };
}

function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}
