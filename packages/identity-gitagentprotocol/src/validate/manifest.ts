import { normaliseDialects } from "../parse/dialects.ts";
import { AgentYaml } from "../schema/agent-yaml.ts";
import { checkOrigins } from "./origins.ts";
import { isRecord, textAt, textsAt, valueAt } from "./raw.ts";
import { isPlainName, report, type Scope, targetOf, type YamlFile } from "./scope.ts";
import { checkServers } from "./secrets.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** The manifest of every agent. */
export const MANIFEST = "agent.yaml";

/** Reads and checks `agent.yaml` (A1, A2, X1-X3, X10, X26, X27); undefined when there is no data to go on with. */
export async function checkManifest(scope: Scope): Promise<YamlFile | undefined> {
  const yaml = await readYamlFile(scope, MANIFEST, "A1", true);
  if (!yaml) return undefined;
  const missing = isRecord(yaml.data) && !Object.hasOwn(yaml.data, "description");
  checkSchema(
    scope,
    missing ? { ...yaml, data: { ...yaml.data, description: "-" } } : yaml,
    AgentYaml,
    "A2",
    (data) => normaliseDialects(data).violations,
  );
  if (missing) report(scope, "X3", yaml, ["description"], "is missing");
  await checkOrigins(scope, yaml);
  checkServers(scope, yaml);
  return yaml;
}

/** What the manifest names must be there (A3-A6), the router among its sub-agents (X7). */
export async function checkReferences(scope: Scope, yaml: YamlFile): Promise<void> {
  for (const [index, name] of textsAt(yaml.data, "skills")) {
    const path = ["skills", index];
    if (!isPlainName(name) || (await targetOf(scope, `skills/${name}`)) !== "folder") {
      report(scope, "A3", yaml, path, `there is no folder skills/${name}`);
    } else if ((await targetOf(scope, `skills/${name}/SKILL.md`)) === "missing") {
      report(scope, "A4", yaml, path, `there is no file skills/${name}/SKILL.md`);
    }
  }
  for (const [index, name] of textsAt(yaml.data, "tools")) {
    if (isPlainName(name) && (await targetOf(scope, `tools/${name}.yaml`)) === "file") continue;
    report(scope, "A5", yaml, ["tools", index], `there is no file tools/${name}.yaml`);
  }
  const agents = valueAt(yaml.data, "agents");
  for (const name of isRecord(agents) ? Object.keys(agents) : []) {
    if (isPlainName(name) && (await hasAgent(scope, name))) continue;
    const message = `there is neither a folder agents/${name} nor a file agents/${name}.md`;
    report(scope, "A6", yaml, ["agents", name], message);
  }
  await checkRouter(scope, yaml);
}

async function checkRouter(scope: Scope, yaml: YamlFile): Promise<void> {
  const router = textAt(yaml.data, "delegation", "router");
  if (router === undefined) {
    if (textAt(yaml.data, "delegation", "mode") !== "router") return;
    report(scope, "X7", yaml, ["delegation", "router"], "is required when mode is router");
  } else if (valueAt(yaml.data, "agents", router) === undefined && !(await hasAgent(scope, router))) {
    report(scope, "X7", yaml, ["delegation", "router"], `there is no sub-agent ${JSON.stringify(router)}`);
  }
}

/** Whether a sub-agent is on disk, as a folder or a Markdown file. */
async function hasAgent(scope: Scope, name: string): Promise<boolean> {
  if (!isPlainName(name)) return false;
  if ((await targetOf(scope, `agents/${name}`)) === "folder") return true;
  return (await targetOf(scope, `agents/${name}.md`)) === "file";
}
