import { ConfigYaml } from "../schema/config.ts";
import { entriesOf, type Scope } from "./scope.ts";
import { checkValues } from "./secrets.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** Every `config/*.yaml`: X1, X20, X27. */
export async function checkConfig(scope: Scope): Promise<void> {
  for (const { name, isFolder } of await entriesOf(scope, "config")) {
    if (isFolder || !name.endsWith(".yaml")) continue;
    const yaml = await readYamlFile(scope, `config/${name}`, "X20");
    if (!yaml) continue;
    checkSchema(scope, yaml, ConfigYaml, "X20");
    checkValues(scope, yaml, ["env_vars"]);
  }
}
