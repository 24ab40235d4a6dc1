import { BLOCK, isHighRisk } from "./compliance.ts";
import { listAt, recordAt, textAt, textsAt, valueAt } from "./raw.ts";
import type { RuleId } from "./rules.ts";
import { report, type Scope, type YamlFile } from "./scope.ts";

const SOD = [BLOCK, "segregation_of_duties"] as const;

/** `compliance.segregation_of_duties`: D1-D9. */
export function checkDuties(scope: Scope, yaml: YamlFile): void {
  const block = recordAt(yaml.data, ...SOD);
  if (!block) {
    const subAgents = Object.keys(recordAt(yaml.data, "agents") ?? {}).length;
    if (isHighRisk(yaml.data) && subAgents >= 2) {
      report(scope, "D9", yaml, SOD, `should be there: ${subAgents} sub-agents work under a high risk tier`);
    }
    return;
  }
  const roles = checkRoles(scope, yaml);
  const conflicts = checkConflicts(scope, yaml, roles);
  checkAssignments(scope, yaml, roles, conflicts);
  checkHandoffs(scope, yaml, roles);
  if (isHighRisk(yaml.data)) checkIsolation(scope, yaml);
}

function checkRoles(scope: Scope, yaml: YamlFile): ReadonlySet<string> {
  const roles = new Set<string>();
  const list = listAt(yaml.data, ...SOD, "roles");
  if (list.length < 2) report(scope, "D1", yaml, [...SOD, "roles"], "must name two roles at least");
  for (const [index, role] of list.entries()) {
    const id = textAt(role, "id");
    if (id === undefined) continue;
    if (roles.has(id))
      report(scope, "D1", yaml, [...SOD, "roles", index, "id"], `repeats the id ${JSON.stringify(id)}`);
    roles.add(id);
  }
  return roles;
}

/** Reports an unknown role of a list of role ids. */
function checkKnown(
  scope: Scope,
  yaml: YamlFile,
  { rule, path, roles }: { rule: RuleId; path: readonly (string | number)[]; roles: ReadonlySet<string> },
): void {
  for (const [index, id] of textsAt(yaml.data, ...path)) {
    if (!roles.has(id)) report(scope, rule, yaml, [...path, index], `there is no role ${JSON.stringify(id)}`);
  }
}

function checkConflicts(scope: Scope, yaml: YamlFile, roles: ReadonlySet<string>): (readonly [string, string])[] {
  const pairs = new Map<string, readonly [string, string]>();
  const list = listAt(yaml.data, ...SOD, "conflicts");
  if (list.length === 0) report(scope, "D8", yaml, [...SOD, "conflicts"], "names no roles that exclude each other");
  for (const index of list.keys()) {
    const path = [...SOD, "conflicts", index];
    checkKnown(scope, yaml, { rule: "D2", path, roles });
    const [first, second] = textsAt(yaml.data, ...path).map(([, id]) => id);
    if (first === undefined || second === undefined) continue;
    if (first === second) report(scope, "D2", yaml, path, `says that ${JSON.stringify(first)} conflicts with itself`);
    else pairs.set(JSON.stringify([first, second]), [first, second]);
  }
  return [...pairs.values()];
}

function checkAssignments(
  scope: Scope,
  yaml: YamlFile,
  roles: ReadonlySet<string>,
  conflicts: readonly (readonly [string, string])[],
): void {
  const assignments = recordAt(yaml.data, ...SOD, "assignments");
  if (!assignments) return;
  const atMost = valueAt(yaml.data, ...SOD, "enforcement") === "advisory" ? "warning" : "error";
  const agents = recordAt(yaml.data, "agents");
  const self = textAt(yaml.data, "name");
  const held = new Set<string>();
  for (const agent of Object.keys(assignments)) {
    const path = [...SOD, "assignments", agent];
    checkKnown(scope, yaml, { rule: "D3", path, roles });
    const own = new Set(textsAt(yaml.data, ...path).map(([, id]) => id));
    for (const id of own) held.add(id);
    for (const [first, second] of conflicts) {
      if (!own.has(first) || !own.has(second)) continue;
      report(scope, "D4", yaml, path, `holds ${first} and ${second}, which exclude each other`, atMost);
    }
    if (agents && !Object.hasOwn(agents, agent) && agent !== self) {
      report(scope, "D5", yaml, path, `the manifest has no agent ${JSON.stringify(agent)}`);
    }
  }
  for (const id of roles) {
    if (held.has(id)) continue;
    report(scope, "D8", yaml, [...SOD, "assignments"], `nobody holds the role ${JSON.stringify(id)}`);
  }
}

function checkHandoffs(scope: Scope, yaml: YamlFile, roles: ReadonlySet<string>): void {
  for (const index of listAt(yaml.data, ...SOD, "handoffs").keys()) {
    const path = [...SOD, "handoffs", index, "required_roles"];
    checkKnown(scope, yaml, { rule: "D6", path, roles });
    const different = new Set(textsAt(yaml.data, ...path).map(([, id]) => id)).size;
    if (different < 2) report(scope, "D6", yaml, path, "must name two different roles at least");
  }
}

function checkIsolation(scope: Scope, yaml: YamlFile): void {
  if (valueAt(yaml.data, ...SOD, "enforcement") === "advisory") {
    report(scope, "D7", yaml, [...SOD, "enforcement"], "should be strict under a high risk tier");
  }
  for (const [key, wanted] of [["state", "full"] as const, ["credentials", "separate"] as const]) {
    const path = [...SOD, "isolation", key];
    if (valueAt(yaml.data, ...path) === wanted) continue;
    report(scope, "D7", yaml, path, `should be ${wanted} under a high risk tier`);
  }
}
