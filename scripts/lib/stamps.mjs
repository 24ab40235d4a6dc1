// Small records in node_modules that say what was installed and built, so that a second run can skip both.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * @param {string} root
 * @param {"install" | "build"} name
 */
const stampPath = (root, name) => join(root, "node_modules", ".computeragent", `${name}.json`);

/**
 * @param {string} root
 * @param {"install" | "build"} name
 * @returns {Record<string, string> | undefined}
 */
export function readStamp(root, name) {
  try {
    const value = JSON.parse(readFileSync(stampPath(root, name), "utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a stamp as a whole, or removes it.
 * @param {string} root
 * @param {"install" | "build"} name
 * @param {Record<string, string> | undefined} value
 */
export function writeStamp(root, name, value) {
  const path = stampPath(root, name);
  if (value === undefined) return rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(value, null, 1)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}

/**
 * A digest of files by their content; a missing file counts as missing.
 * @param {string} root
 * @param {readonly string[]} files relative to the root
 * @param {readonly string[]} [extra] more text that the digest covers
 */
export function contentDigest(root, files, extra = []) {
  const hash = createHash("sha256");
  for (const text of extra) hash.update(`${text}\0`);
  for (const file of [...files].sort()) {
    hash.update(`${file}\0`);
    try {
      hash.update(readFileSync(join(root, file)));
    } catch {
      hash.update("missing");
    }
    hash.update("\0");
  }
  return hash.digest("hex");
}

/**
 * A digest of files by name, size and time of change: quick, and never wrong after an edit.
 * @param {string} root
 * @param {readonly string[]} paths files, or folders that are walked; relative to the root
 * @param {(name: string) => boolean} [include] which files count
 */
export function statDigest(root, paths, include = () => true) {
  const hash = createHash("sha256");
  /** @param {string} path */
  const visit = (path) => {
    const stat = statSync(join(root, path), { throwIfNoEntry: false });
    if (stat?.isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) visit(`${path}/${name}`);
    } else if (include(path)) {
      hash.update(stat === undefined ? `${path} missing\0` : `${path} ${stat.mtimeMs} ${stat.size}\0`);
    }
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}
