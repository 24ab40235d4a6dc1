import { KnowledgeIndex } from "../schema/knowledge.ts";
import { normaliseKnowledge } from "./dialects.ts";
import { listAt, textAt } from "./raw.ts";
import { leavesFolder, report, type Scope, targetOf } from "./scope.ts";
import { checkSchema, readYamlFile } from "./yaml-file.ts";

/** `knowledge/index.yaml` and the files that it names: X10, X15, X16. */
export async function checkKnowledge(scope: Scope): Promise<void> {
  const yaml = await readYamlFile(scope, "knowledge/index.yaml", "X15");
  if (!yaml) return;
  checkSchema(scope, yaml, KnowledgeIndex, "X15", normaliseKnowledge);
  for (const key of ["documents", "entries"]) {
    for (const index of listAt(yaml.data, key).keys()) {
      const at = [key, index, "path"];
      const path = textAt(yaml.data, ...at);
      if (path === undefined) continue;
      const target = await targetOf(scope, `knowledge/${path}`);
      if (leavesFolder(path, "knowledge", "knowledge") || target === "outside") {
        report(scope, "X10", yaml, at, `the path ${JSON.stringify(path)} leads out of knowledge/`);
      } else if (target !== "file") {
        report(scope, "X16", yaml, at, `there is no file knowledge/${path}`);
      }
    }
  }
}
