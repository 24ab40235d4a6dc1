// The packages of the workspace and what they need of each other, read without a YAML parser.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** @typedef {{ name: string, dir: string, internal: string[], hasDependencies: boolean }} WorkspacePackage `dir` is relative to the root */

/**
 * The entries of the `packages:` list of pnpm-workspace.yaml.
 * @param {string} yaml
 */
export function packageGlobs(yaml) {
  const globs = [];
  let inside = false;
  for (const line of yaml.split(/\r?\n/)) {
    if (/^\S/.test(line)) inside = /^packages:\s*$/.test(line);
    const item = /^\s+-\s+["']?([^"'#\s]+)["']?/.exec(line);
    if (inside && item?.[1] !== undefined) globs.push(item[1]);
  }
  return globs;
}

/**
 * All packages of the workspace, the root left out.
 * @param {string} root
 * @returns {WorkspacePackage[]}
 */
export function workspacePackages(root) {
  const dirs = packageGlobs(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")).flatMap((glob) => {
    if (!glob.endsWith("/*")) return [glob];
    const parent = glob.slice(0, -2);
    if (!existsSync(join(root, parent))) return [];
    return readdirSync(join(root, parent))
      .sort()
      .map((name) => `${parent}/${name}`);
  });
  return dirs
    .filter((dir) => existsSync(join(root, dir, "package.json")))
    .map((dir) => {
      const manifest = JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8"));
      const dependencies = Object.entries(manifest.dependencies ?? {});
      return {
        name: String(manifest.name),
        dir,
        internal: dependencies.filter(([, spec]) => String(spec).startsWith("workspace:")).map(([name]) => name),
        hasDependencies: dependencies.length > 0,
      };
    });
}

/**
 * A package and everything of the workspace that it needs, itself included.
 * @param {readonly WorkspacePackage[]} packages
 * @param {string} name
 */
export function closure(packages, name) {
  const byName = new Map(packages.map((pkg) => [pkg.name, pkg]));
  /** @type {Map<string, WorkspacePackage>} */
  const found = new Map();
  const queue = [name];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const pkg = byName.get(next);
    if (pkg === undefined || found.has(next)) continue;
    found.set(next, pkg);
    queue.push(...pkg.internal);
  }
  return [...found.values()];
}
