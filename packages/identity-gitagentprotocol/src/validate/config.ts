import { ConfigYaml } from "../schema/config.ts";
import { entriesOf, type Scope } from "./scope.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** Every `config/*.yaml`: X1, X20. */
export async function checkConfig(scope: Scope): Promise<void> {
  for (const { name, isFolder } of await entriesOf(scope, "config")) {
    if (isFolder || !name.endsWith(".yaml")) continue;
    const yaml = await readYamlFile(scope, `config/${name}`, "X20");
    if (yaml) checkSchema(scope, yaml, ConfigYaml, "X20");
  }
}
