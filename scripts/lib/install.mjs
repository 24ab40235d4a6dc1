// Frozen install of the dependencies, once per lockfile, manifest, Node version and scope.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.mjs";
import { contentDigest, readStamp, writeStamp } from "./stamps.mjs";
import { closure, workspacePackages } from "./workspace.mjs";

/** @typedef {"run" | "all"} Scope `run`: production dependencies of the command line and its closure; `all`: everything */

const ENTRY = "@computeragent/cli";

// The lockfile is trusted: each package in it is held by its hash. Asking the registry for the history of every one
// again would cost a download of 90 MB.
const INSTALL = [
  "install",
  "--frozen-lockfile",
  "--trust-lockfile",
  "--reporter=append-only",
  "--config.confirm-modules-purge=false",
];

/**
 * @param {string} root
 * @param {Scope} scope
 */
export function scopePackages(root, scope) {
  const packages = workspacePackages(root);
  return scope === "all" ? packages : closure(packages, ENTRY);
}

/**
 * @param {string} root
 * @param {string} nodeVersion
 */
function installDigest(root, nodeVersion) {
  const manifests = workspacePackages(root).map((pkg) => `${pkg.dir}/package.json`);
  const files = ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc", ...manifests];
  return contentDigest(root, files, [nodeVersion, process.platform, process.arch]);
}

/**
 * Whether what is installed serves a scope; the full install serves the smaller one.
 * @param {string} root
 * @param {Scope} scope
 * @param {string} nodeVersion
 */
export function isInstalled(root, scope, nodeVersion) {
  const stamp = readStamp(root, "install");
  if (stamp === undefined || stamp.digest !== installDigest(root, nodeVersion)) return false;
  if (stamp.scope !== "all" && stamp.scope !== scope) return false;
  return scopePackages(root, scope).every(
    (pkg) => !pkg.hasDependencies || existsSync(join(root, pkg.dir, "node_modules")),
  );
}

/** @param {string} root @returns {boolean} whether node_modules holds the development dependencies, as pnpm records it */
function hasDevDependencies(root) {
  try {
    return /"?devDependencies"?\s*:\s*true/.test(readFileSync(join(root, "node_modules", ".modules.yaml"), "utf8"));
  } catch {
    return false;
  }
}

/**
 * Installs the dependencies of a scope. Call it with the set-up lock held.
 * @param {string} root
 * @param {Scope} scope
 * @param {{ node: import("./tools.mjs").NodeRuntime, pnpm: string, env: NodeJS.ProcessEnv, report: import("./report.mjs").Report }} context
 */
export async function ensureInstalled(root, scope, { node, pnpm, env, report }) {
  if (isInstalled(root, scope, node.version)) return;
  // Never take away what an earlier `npm test` brought.
  /** @type {Scope} */
  const effective =
    scope === "all" || readStamp(root, "install")?.scope === "all" || hasDevDependencies(root) ? "all" : "run";
  const first = !existsSync(join(root, "node_modules", ".modules.yaml"));
  const digest = installDigest(root, node.version);
  const label = effective === "all" ? "Installing all dependencies" : "Installing what running needs";
  const size = effective === "all" ? "300 MB" : "210 MB";
  const hint = first ? ` (${size} from the registry the first time, most of it the Claude Agent SDK)` : "";
  await report.step(`${label}${hint}`, async (note) => {
    writeStamp(root, "install", undefined);
    const filter = effective === "all" ? [] : ["--prod", "--filter", ".", "--filter", `${ENTRY}...`];
    const pnpmEnv = { ...env, pnpm_config_update_notifier: "false" };
    await runCommand(pnpm, [...INSTALL, ...filter], { cwd: root, env: pnpmEnv, what: "pnpm install", report, note });
    writeStamp(root, "install", { digest, scope: effective });
  });
}
