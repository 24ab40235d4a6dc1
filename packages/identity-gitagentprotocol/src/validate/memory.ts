import { MemoryYaml } from "../schema/memory.ts";
import { listAt, textAt } from "./raw.ts";
import { leavesFolder, report, type Scope, targetOf } from "./scope.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** `memory/memory.yaml`: X10, X13. Layers need not exist yet. */
export async function checkMemory(scope: Scope): Promise<void> {
  const yaml = await readYamlFile(scope, "memory/memory.yaml", "X13");
  if (!yaml) return;
  checkSchema(scope, yaml, MemoryYaml, "X13");
  for (const index of listAt(yaml.data, "layers").keys()) {
    const at = ["layers", index, "path"];
    const path = textAt(yaml.data, ...at);
    if (path === undefined) continue;
    if (leavesFolder(path, `${scope.prefix}memory`, "") || (await targetOf(scope, `memory/${path}`)) === "outside") {
      report(scope, "X10", yaml, at, `the path ${JSON.stringify(path)} leads outside of the agent`);
    }
  }
}
