import { isRecord, valueAt } from "./raw.ts";
import { report, reportFile, type Scope } from "./scope.ts";
import type { Named } from "./tools.ts";

const TOOL_NAME = /^[a-z][a-z0-9-]*$/;

/** Names that are used twice (X11). Stems are unique in a folder; what files call themselves is not. */
export function checkDuplicates(scope: Scope, skills: readonly Named[], tools: readonly Named[]): void {
  for (const things of [skills, tools]) {
    const seen = new Map<string, string>();
    for (const { name, yaml } of things) {
      if (name === undefined || !yaml) continue;
      const first = seen.get(name);
      if (first === undefined) seen.set(name, yaml.file);
      else report(scope, "X11", yaml, ["name"], `${JSON.stringify(name)} is also the name in ${first}`);
    }
  }
  const skillOf = new Map(skills.map((skill) => [skill.stem, skill]));
  for (const tool of tools) {
    const message = `${JSON.stringify(tool.stem)} is also the name of a skill`;
    if (skillOf.has(tool.stem)) reportFile(scope, "X11", `tools/${tool.stem}.yaml`, message);
  }
}

/** Tools that skills may use and nobody defines (X28). Names of engines' own tools are not spelt as those of agents. */
export function checkAllowedTools(scope: Scope, skills: readonly Named[], tools: readonly Named[]): void {
  const known = new Set(tools.map(({ stem }) => stem));
  for (const { yaml } of skills) {
    if (!yaml) continue;
    const allowed = valueAt(yaml.data, "allowed-tools");
    const names: readonly unknown[] =
      typeof allowed === "string" ? allowed.split(/\s+/) : Array.isArray(allowed) ? allowed : [];
    for (const name of names) {
      if (typeof name !== "string" || !TOOL_NAME.test(name) || known.has(name)) continue;
      report(scope, "X28", yaml, ["allowed-tools"], `there is no file tools/${name}.yaml`);
    }
  }
}

/** What is on disk and missing from a list that the manifest has (X12). */
export function checkUnlisted(
  scope: Scope,
  manifest: unknown,
  { skills, tools, agents }: Record<"skills" | "tools" | "agents", readonly string[]>,
): void {
  const off = (key: string, names: readonly string[], fileOf: (name: string) => string): void => {
    const list = valueAt(manifest, key);
    if (!Array.isArray(list) && !isRecord(list)) return;
    const listed = new Set<unknown>(Array.isArray(list) ? list : Object.keys(list));
    for (const name of names) {
      if (!listed.has(name))
        reportFile(scope, "X12", fileOf(name), `is not in the manifest's list of ${key}: it is off`);
    }
  };
  off("skills", skills, (name) => `skills/${name}`);
  off("tools", tools, (name) => `tools/${name}.yaml`);
  off("agents", agents, (name) => `agents/${name}`);
}
