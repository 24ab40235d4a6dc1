import { entriesOf, type Scope } from "./scope.ts";
import { readJsonFile, readYamlFile } from "./yaml-file.ts";

/** Every `compliance/*.yaml` and `.json`: X25. They have no published schemas. */
export async function checkArtifacts(scope: Scope): Promise<void> {
  for (const { name, isFolder } of await entriesOf(scope, "compliance")) {
    if (isFolder) continue;
    if (name.endsWith(".yaml")) await readYamlFile(scope, `compliance/${name}`, "X25");
    if (name.endsWith(".json")) await readJsonFile(scope, `compliance/${name}`, "X25");
  }
}
