import { posix } from "node:path";
import { listAt, textAt } from "./raw.ts";
import { leavesFolder, report, type Scope, targetOf, type YamlFile } from "./scope.ts";

/** Parents and dependencies that are folders of the agent's repository: inside (X10), there, and not replaced by themselves (X26). */
export async function checkOrigins(scope: Scope, yaml: YamlFile): Promise<void> {
  await checkFolder(scope, yaml, ["extends"]);
  for (const index of listAt(yaml.data, "dependencies").keys()) {
    const at = (key: string): (string | number)[] => ["dependencies", index, key];
    const source = await checkFolder(scope, yaml, at("source"));
    const mount = textAt(yaml.data, ...at("mount"));
    if (mount === undefined) continue;
    if (leavesFolder(mount, scope.prefix, "")) {
      report(scope, "X10", yaml, at("mount"), `the path ${JSON.stringify(mount)} leads outside of the agent`);
    } else if (source !== undefined && posix.resolve("/", mount) === posix.resolve("/", source)) {
      report(scope, "X26", yaml, at("mount"), "is the folder of the source: an installer would delete it");
    }
  }
}

/** The path of a folder if the text at `path` is one, and it is inside. */
async function checkFolder(
  scope: Scope,
  yaml: YamlFile,
  path: readonly (string | number)[],
): Promise<string | undefined> {
  const text = textAt(yaml.data, ...path);
  if (text === undefined || !/^\.{0,2}\/|^\.{1,2}$/.test(text)) return undefined;
  const target = await targetOf(scope, text);
  if (leavesFolder(text, scope.prefix, "") || target === "outside") {
    report(scope, "X10", yaml, path, `the path ${JSON.stringify(text)} leads outside of the agent`);
    return undefined;
  }
  if (target !== "folder") report(scope, "X26", yaml, path, `there is no folder ${text}`);
  else if (posix.resolve("/", text) === "/") report(scope, "X26", yaml, path, "is the agent itself");
  return text;
}
