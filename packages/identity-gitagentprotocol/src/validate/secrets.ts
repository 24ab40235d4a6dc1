import { isRecord, recordAt, valueAt } from "./raw.ts";
import { report, reportFile, type Scope, type YamlFile } from "./scope.ts";

const SECRET_NAME = /(?:key|token|secret|password|passwd|authorization|credentials?)$/i;

/** Whatever looks like a secret in a text of the agent: X27. What it is stays untold. */
export function checkText(scope: Scope, file: string, text: string): void {
  for (const { kind, start } of scope.findSecrets?.(text) ?? []) {
    const line = text.slice(0, start).split("\n").length;
    reportFile(scope, "X27", file, `seems to hold a secret (${kind}): refer to a variable instead`, line);
  }
}

/** Environment variables and headers of MCP servers that say by their name what their value must not show: X27. */
export function checkServers(scope: Scope, yaml: YamlFile): void {
  for (const server of Object.keys(recordAt(yaml.data, "mcp_servers") ?? {})) {
    checkValues(scope, yaml, ["mcp_servers", server, "env"]);
    checkValues(scope, yaml, ["mcp_servers", server, "headers"]);
  }
}

/** A map of names and values that may hold a secret: X27. */
export function checkValues(scope: Scope, yaml: YamlFile, path: readonly string[]): void {
  const values = valueAt(yaml.data, ...path);
  if (!isRecord(values)) return;
  for (const [name, value] of Object.entries(values)) {
    if (!SECRET_NAME.test(name) || typeof value !== "string" || value === "" || value.includes("${")) continue;
    report(scope, "X27", yaml, [...path, name], "seems to hold a secret: refer to a variable instead");
  }
}
