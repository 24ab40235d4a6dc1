import { ToolYaml } from "../schema/tool.ts";
import { normaliseTool } from "./dialects.ts";
import { textAt } from "./raw.ts";
import { entriesOf, leavesFolder, report, type Scope, targetOf, type YamlFile } from "./scope.ts";
import { checkValues } from "./secrets.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** Names of things on disk: stems or folder names, and the names that they give themselves, with the place of these. */
export interface Named {
  readonly stem: string;
  readonly name?: string;
  readonly yaml?: YamlFile;
}

/** Every `tools/*.yaml`: T1, T2, X1, X2, X8-X10, X27. */
export async function checkTools(scope: Scope): Promise<Named[]> {
  const tools: Named[] = [];
  for (const { name: entry, isFolder } of await entriesOf(scope, "tools")) {
    if (isFolder || !entry.endsWith(".yaml")) continue;
    const stem = entry.slice(0, -".yaml".length);
    const yaml = await readYamlFile(scope, `tools/${entry}`, "T2");
    const name = yaml && textAt(yaml.data, "name");
    tools.push({ stem, ...(yaml ? { yaml } : {}), ...(name === undefined ? {} : { name }) });
    if (!yaml) continue;
    checkSchema(scope, yaml, ToolYaml, "T1", normaliseTool);
    if (name !== undefined && name !== stem) {
      report(scope, "X8", yaml, ["name"], `the tool calls itself ${JSON.stringify(name)}, its file ${entry}`);
    }
    checkValues(scope, yaml, ["implementation", "headers"]);
    await checkScript(scope, yaml);
  }
  return tools;
}

async function checkScript(scope: Scope, yaml: YamlFile): Promise<void> {
  for (const key of ["path", "script"]) {
    const at = ["implementation", key];
    const path = textAt(yaml.data, ...at);
    if (path === undefined) continue;
    const target = await targetOf(scope, `tools/${path}`);
    if (leavesFolder(path, `${scope.prefix}tools`, "") || target === "outside") {
      report(scope, "X10", yaml, at, `the path ${JSON.stringify(path)} leads outside of the agent`);
    } else if (target !== "file") {
      report(scope, "X9", yaml, at, `there is no file tools/${path}`);
    }
  }
}
