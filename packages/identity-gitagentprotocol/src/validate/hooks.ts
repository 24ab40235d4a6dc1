import { HooksYaml } from "../schema/hooks.ts";
import { listAt, recordAt, textAt } from "./raw.ts";
import { leavesFolder, report, type Scope, targetOf } from "./scope.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** `hooks/hooks.yaml` and the scripts that it names: H1-H3, X10. */
export async function checkHooks(scope: Scope): Promise<void> {
  const yaml = await readYamlFile(scope, "hooks/hooks.yaml", "H3");
  if (!yaml) return;
  checkSchema(scope, yaml, HooksYaml, "H1");
  for (const event of Object.keys(recordAt(yaml.data, "hooks") ?? {})) {
    for (const index of listAt(yaml.data, "hooks", event).keys()) {
      const path = ["hooks", event, index, "script"];
      const script = textAt(yaml.data, ...path);
      if (script === undefined) continue;
      const target = await targetOf(scope, `hooks/${script}`);
      if (leavesFolder(script, "hooks", "hooks") || target === "outside") {
        report(scope, "X10", yaml, path, `the path ${JSON.stringify(script)} leads out of hooks/`);
      } else if (target !== "file") {
        report(scope, "H2", yaml, path, `there is no file hooks/${script}`);
      }
    }
  }
}
