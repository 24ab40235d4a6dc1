// Compiles the packages with `tsc -b` and bundles the command line, unless their sources are as they were at the last build.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.mjs";
import { scopePackages } from "./install.mjs";
import { contentDigest, readStamp, statDigest, writeStamp } from "./stamps.mjs";

/** The bundled command line. */
const BUNDLE = join("packages", "cli", "bundle", "main.js");

/**
 * The packages of a scope that compile, each with a digest of what goes into it.
 * @param {string} root
 * @param {import("./install.mjs").Scope} scope
 */
function targets(root, scope) {
  const shared = contentDigest(root, ["pnpm-lock.yaml", "tsconfig.base.json", "tsconfig.json", "scripts/bundle.mjs"]);
  return scopePackages(root, scope)
    .filter((pkg) => pkg.dir.startsWith("packages/") && existsSync(join(root, pkg.dir, "tsconfig.json")))
    .map(({ dir }) => {
      const paths = [`${dir}/package.json`, `${dir}/tsconfig.json`, `${dir}/src`];
      return { dir, digest: `${shared}:${statDigest(root, paths, (name) => !/\.test(-support)?\.ts$/.test(name))}` };
    });
}

/**
 * @param {string} root
 * @param {import("./install.mjs").Scope} scope
 */
export function isBuilt(root, scope) {
  const stamp = readStamp(root, "build") ?? {};
  return (
    targets(root, scope).every(
      ({ dir, digest }) => stamp[dir] === digest && existsSync(join(root, dir, "dist", ".tsbuildinfo")),
    ) && existsSync(join(root, BUNDLE))
  );
}

/**
 * Builds the packages of a scope. Call it with the set-up lock held.
 * @param {string} root
 * @param {import("./install.mjs").Scope} scope
 * @param {{ node: import("./tools.mjs").NodeRuntime, env: NodeJS.ProcessEnv, report: import("./report.mjs").Report }} context
 */
export async function ensureBuilt(root, scope, { node, env, report }) {
  if (isBuilt(root, scope)) return;
  // Read before the compiler does, so that an edit made meanwhile is built the next time.
  const wanted = targets(root, scope);
  await report.step(`Building ${wanted.length} packages`, async (note) => {
    const stamp = readStamp(root, "build") ?? {};
    for (const { dir } of wanted) delete stamp[dir];
    writeStamp(root, "build", stamp);
    const args = [join(root, "node_modules", "typescript", "bin", "tsc"), "-b", ...wanted.map(({ dir }) => dir)];
    await runCommand(node.path, args, { cwd: root, env, what: "tsc -b", report, note });
    const bundler = [join(root, "scripts", "bundle.mjs")];
    await runCommand(node.path, bundler, { cwd: root, env, what: "the bundler", report, note });
    for (const { dir, digest } of wanted) stamp[dir] = digest;
    writeStamp(root, "build", stamp);
  });
}
