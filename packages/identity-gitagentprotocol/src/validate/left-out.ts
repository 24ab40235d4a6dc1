import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import { beneath, enterFolder, type IgnoreLayers, isIgnored, outerRules } from "../files/ignore-rules.ts";
import type { IsLeftOut } from "./options.ts";
import { isRecord, textsAt, valueAt } from "./raw.ts";
import { isPlainName, reportFile, type Scope, targetOf } from "./scope.ts";

/** For a folder of this machine: what its `.gitignore` files name is not loaded. `root` is a real path. */
export async function leftOutOf(root: string): Promise<IsLeftOut> {
  const rules = new Map<string, Promise<IgnoreLayers | undefined>>();
  const outer = await outerRules(root);
  /** The rules inside a folder; undefined when it is left out itself. */
  const inside = (folder: string): Promise<IgnoreLayers | undefined> => {
    const known = rules.get(folder) ?? enter(folder);
    rules.set(folder, known);
    return known;
  };
  const enter = async (folder: string): Promise<IgnoreLayers | undefined> => {
    if (folder === "") return enterFolder(outer, "", root);
    const around = await inside(parentOf(folder));
    if (!around || isIgnored(around, folder, true)) return undefined;
    return enterFolder(beneath(around, folder), folder, join(root, folder));
  };
  return async (path) => {
    const around = await inside(parentOf(path));
    const isFolder = (await lstat(join(root, path)).catch(() => undefined))?.isDirectory() ?? false;
    return !around || isIgnored(around, path, isFolder);
  };
}

/** What a load needs and a copy of the folder would not hold: X30. Returns the files that it reported. */
export async function checkLeftOut(scope: Scope, manifest: unknown): Promise<readonly string[]> {
  const isLeftOut = scope.isLeftOut;
  if (!isLeftOut || scope.depth > 0) return [];
  const reported: string[] = [];
  const agents = valueAt(manifest, "agents");
  const named = (key: string, pathsOf: (name: string) => readonly string[]): (readonly string[])[] =>
    textsAt(manifest, key).flatMap(([, name]) => (isPlainName(name) ? [pathsOf(name)] : []));
  const needed: readonly (readonly string[])[] = [
    ["agent.yaml"],
    ["SOUL.md"],
    ...named("skills", (name) => [`skills/${name}/SKILL.md`]),
    ...named("tools", (name) => [`tools/${name}.yaml`]),
    ...(isRecord(agents) ? Object.keys(agents) : [])
      .filter(isPlainName)
      .map((name) => [`agents/${name}`, `agents/${name}.md`]),
  ];
  for (const paths of needed) {
    const there: string[] = [];
    for (const path of paths) if ((await targetOf(scope, path)) !== "missing") there.push(path);
    const left = await Promise.all(there.map(isLeftOut));
    const [file] = there;
    if (file === undefined || !left.every(Boolean)) continue;
    reportFile(scope, "X30", file, "is not loaded from this folder: a .gitignore names it");
    reported.push(file);
  }
  return reported;
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === "." ? "" : parent;
}
