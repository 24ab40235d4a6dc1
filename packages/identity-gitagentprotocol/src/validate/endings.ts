import { reportFile, type Scope, targetOf } from "./scope.ts";

const FOLDERS = ["hooks", "knowledge", "memory", "tools", "workflows", "config"];

/** Files that are missed because their names end in `.yml`: X29. */
export async function checkEndings(scope: Scope): Promise<void> {
  const report = (file: string): void => reportFile(scope, "X29", file, "is not read: its name must end in .yaml");
  if ((await targetOf(scope, "agent.yml")) !== "missing") report("agent.yml");
  for (const folder of FOLDERS) {
    const entries = await scope.folder.list(scope.prefix + folder).catch(() => []);
    for (const { name, isFolder } of entries) if (!isFolder && name.endsWith(".yml")) report(`${folder}/${name}`);
  }
}
