import { WorkflowYaml } from "../schema/workflow.ts";
import { listAt, textAt, textsAt, valueAt } from "./raw.ts";
import { entriesOf, isPlainName, report, type Scope, targetOf, type YamlFile } from "./scope.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** Every `workflows/*.yaml`: X1, X17-X19. */
export async function checkWorkflows(scope: Scope, agentNames: ReadonlySet<string>): Promise<void> {
  for (const { name, isFolder } of await entriesOf(scope, "workflows")) {
    if (isFolder || !name.endsWith(".yaml")) continue;
    const yaml = await readYamlFile(scope, `workflows/${name}`, "X17");
    if (!yaml) continue;
    checkSchema(scope, yaml, WorkflowYaml, "X17");
    checkOrder(scope, yaml);
    await checkActors(scope, yaml, agentNames);
  }
}

/** Ids are unique, dependencies known and without circles. */
function checkOrder(scope: Scope, yaml: YamlFile): void {
  const position = new Map<string, number>();
  for (const [index, step] of listAt(yaml.data, "steps").entries()) {
    const id = textAt(step, "id");
    if (id === undefined) continue;
    if (position.has(id)) report(scope, "X18", yaml, ["steps", index, "id"], `repeats the id ${JSON.stringify(id)}`);
    else position.set(id, index);
  }
  const needs = new Map<string, string[]>();
  for (const [index, step] of listAt(yaml.data, "steps").entries()) {
    const before = textsAt(step, "depends_on");
    for (const [item, name] of before) {
      if (position.has(name)) continue;
      report(scope, "X18", yaml, ["steps", index, "depends_on", item], `there is no step ${JSON.stringify(name)}`);
    }
    const id = textAt(step, "id");
    if (id !== undefined && position.get(id) === index)
      needs.set(
        id,
        before.map(([, name]) => name),
      );
  }
  for (const id of stuck(needs)) {
    const at = ["steps", position.get(id) ?? 0, "depends_on"];
    report(scope, "X18", yaml, at, `the step ${JSON.stringify(id)} waits for itself, perhaps through others`);
  }
}

/** The steps of circles: what is left when everything that can run, or that nothing waits for, is taken away. */
function stuck(needs: ReadonlyMap<string, readonly string[]>): string[] {
  const waitedFor = new Map<string, string[]>();
  for (const [id, before] of needs)
    for (const name of before) waitedFor.set(name, [...(waitedFor.get(name) ?? []), id]);
  const left = new Set(needs.keys());
  for (const links of [needs, waitedFor]) {
    let shrinks = true;
    while (shrinks) {
      const free = [...left].filter((id) => !(links.get(id) ?? []).some((name) => left.has(name)));
      for (const id of free) left.delete(id);
      shrinks = free.length > 0;
    }
  }
  return [...left];
}

async function checkActors(scope: Scope, yaml: YamlFile, agentNames: ReadonlySet<string>): Promise<void> {
  for (const [index, step] of listAt(yaml.data, "steps").entries()) {
    for (const [kind, pathOf] of ACTORS) {
      const name = textAt(step, kind);
      if (name === undefined || (kind === "agent" && agentNames.has(name))) continue;
      if (isPlainName(name) && (await exists(scope, pathOf(name)))) continue;
      report(scope, "X19", yaml, ["steps", index, kind], `there is no ${kind} ${JSON.stringify(name)}`);
    }
  }
}

const ACTORS: readonly (readonly ["skill" | "tool" | "agent", (name: string) => readonly string[]])[] = [
  ["skill", (name) => [`skills/${name}/SKILL.md`]],
  ["tool", (name) => [`tools/${name}.yaml`]],
  ["agent", (name) => [`agents/${name}`, `agents/${name}.md`]],
];

async function exists(scope: Scope, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await targetOf(scope, path)) !== "missing") return true;
  return false;
}

/** The name of the agent itself and those of its manifest's sub-agents. */
export function agentNamesOf(manifest: unknown): ReadonlySet<string> {
  const agents = valueAt(manifest, "agents");
  const own = textAt(manifest, "name");
  return new Set([
    ...(own === undefined ? [] : [own]),
    ...(typeof agents === "object" && agents !== null && !Array.isArray(agents) ? Object.keys(agents) : []),
  ]);
}
