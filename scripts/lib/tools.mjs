// The Node and the pnpm that this checkout works with: found, or put into `.tools` from the npm registry.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runCommand, SetupError, which } from "./command.mjs";
import { PINNED_NODE, satisfies } from "./versions.mjs";

/** @typedef {{ path: string, pinnedHome: string | undefined, version: string }} NodeRuntime `pinnedHome` is set for the Node in `.tools` */

/** @param {string} root */
const modules = (root) => join(root, ".tools", "node_modules");
/** Present while npm writes into `.tools`: what lies there then is not to be trusted. @param {string} root */
const marker = (root) => join(root, ".tools", ".installing");
const nodePackage = `node-${process.platform}-${process.arch}`;

/**
 * @param {string} root
 * @param {string} name
 * @returns {string | undefined} the version of a package in `.tools`
 */
function toolVersion(root, name) {
  if (existsSync(marker(root))) return undefined;
  try {
    return JSON.parse(readFileSync(join(modules(root), name, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

/**
 * The Node for this checkout: the pinned one, else the one that runs this script if it fits.
 * @param {string} root
 * @param {string} range
 * @returns {NodeRuntime | undefined}
 */
export function findNode(root, range) {
  const home = join(modules(root), nodePackage);
  const path = join(home, "bin", "node");
  if (toolVersion(root, nodePackage) === PINNED_NODE && existsSync(path)) {
    return { path, pinnedHome: home, version: PINNED_NODE };
  }
  if (!satisfies(process.version, range)) return undefined;
  return { path: process.execPath, pinnedHome: undefined, version: process.version.slice(1) };
}

/**
 * @param {string} root
 * @param {string} version
 */
function findPinnedPnpm(root, version) {
  const path = join(modules(root), ".bin", "pnpm");
  return toolVersion(root, "pnpm") === version && existsSync(path) ? path : undefined;
}

/**
 * The pnpm of exactly that version: the pinned one, else one on PATH.
 * @param {string} root
 * @param {string} version
 */
function findPnpm(root, version) {
  const pinned = findPinnedPnpm(root, version);
  if (pinned !== undefined) return pinned;
  const candidate = which("pnpm");
  if (candidate === undefined) return undefined;
  try {
    // Outside the checkout, and with corepack kept from downloading, so that this asks and changes nothing.
    const env = { ...process.env, COREPACK_ENABLE_NETWORK: "0", COREPACK_ENABLE_DOWNLOAD_PROMPT: "0" };
    const found = execFileSync(candidate, ["--version"], {
      cwd: tmpdir(),
      env,
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return found.toString("utf8").trim() === version ? candidate : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {boolean} whether the C library is glibc; the pinned Node is built against it */
function hasGlibc() {
  // Without this the report resolves the names of every open connection first.
  Object.assign(process.report, { excludeNetwork: true });
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  return report.header?.glibcVersionRuntime !== undefined;
}

/**
 * Why the pinned Node cannot be installed on a machine, or undefined if it can.
 * @param {{ platform: string, arch: string, glibc: () => boolean }} machine
 * @param {string} range
 */
export function pinnedNodeRefusal({ platform, arch, glibc }, range) {
  const advice = `Install a Node.js that satisfies "${range}" (24 LTS is what this project is developed on) and run the command again.`;
  if (platform !== "linux" || (arch !== "x64" && arch !== "arm64")) {
    return `Node.js ${process.version} is too old or unsupported, and none is put in place automatically on ${platform}-${arch}. ${advice}`;
  }
  if (!glibc())
    return `Node.js ${process.version} is too old, and the one that set-up brings needs glibc, which this system lacks. ${advice}`;
  return undefined;
}

/**
 * Finds Node and pnpm and installs into `.tools` what is missing. Call it with the set-up lock held.
 * @param {string} root
 * @param {{ node: string, pnpm: string }} required
 * @param {import("./report.mjs").Report} report
 * @returns {Promise<{ node: NodeRuntime, pnpm: string }>}
 */
export async function ensureTools(root, required, report) {
  const node = findNode(root, required.node);
  const pnpm = findPnpm(root, required.pnpm);
  if (node !== undefined && pnpm !== undefined) return { node, pnpm };
  if (node === undefined) {
    const refusal = pinnedNodeRefusal(
      { platform: process.platform, arch: process.arch, glibc: hasGlibc },
      required.node,
    );
    if (refusal !== undefined) throw new SetupError(refusal);
  }
  // npm prunes what a `--no-save` install does not name, so name what is there already as well.
  const wanted = new Map();
  if (node === undefined || node.pinnedHome !== undefined)
    wanted.set(`Node ${PINNED_NODE}`, `${nodePackage}@${PINNED_NODE}`);
  if (pnpm === undefined || pnpm.startsWith(root)) wanted.set(`pnpm ${required.pnpm}`, `pnpm@${required.pnpm}`);
  const npm = which("npm");
  if (npm === undefined) {
    throw new SetupError(
      `npm is not on PATH; it is needed once to fetch ${[...wanted.keys()].join(" and ")}. Install npm (it comes with Node.js; Debian: apt-get install npm).`,
    );
  }
  await report.step(`Fetching ${[...wanted.keys()].join(" and ")} into .tools`, async (note) => {
    if (existsSync(marker(root))) rmSync(modules(root), { recursive: true, force: true });
    mkdirSync(join(root, ".tools"), { recursive: true });
    writeFileSync(marker(root), "");
    const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts=false", "--include=optional"];
    const args = ["install", "--prefix", join(root, ".tools"), ...flags, ...wanted.values()];
    await runCommand(npm, args, { cwd: root, env: process.env, what: "npm install", report, note });
    rmSync(marker(root), { force: true });
  });
  const ready = { node: findNode(root, required.node), pnpm: findPnpm(root, required.pnpm) };
  if (ready.node === undefined || ready.pnpm === undefined) {
    throw new SetupError("npm reported success, but the tools are not in .tools; remove that folder and try again.");
  }
  return { node: ready.node, pnpm: ready.pnpm };
}

/**
 * The environment for everything that runs in the checkout: its Node first on PATH, native builds against its headers.
 * @param {string} root
 * @param {NodeRuntime} node
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnvironment(root, node) {
  const path = [dirname(node.path), join(modules(root), ".bin"), process.env.PATH ?? ""].join(delimiter);
  return {
    ...process.env,
    PATH: path,
    ...(node.pinnedHome === undefined ? {} : { npm_config_nodedir: node.pinnedHome }),
  };
}
