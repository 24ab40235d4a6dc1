// The rule that a source file fits on a few screens.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The longest a source file may be, in lines. */
export const MAX_LINES = 250;

const SKIPPED = new Set(["node_modules", "dist", "coverage", "generated", "fixtures", "golden", "corpus"]);

/**
 * Files that are too long, as `path: lines`.
 * @param {string} root
 * @param {readonly string[]} folders relative to the root
 */
export function tooLong(root, folders) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} folder */
  const visit = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith(".")) visit(path);
      } else if (entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name)) {
        const lines = readFileSync(join(root, path), "utf8").replace(/\n$/, "").split("\n").length;
        if (lines > MAX_LINES) found.push(`${path}: ${lines} lines, at most ${MAX_LINES} are allowed`);
      }
    }
  };
  for (const folder of folders) visit(folder);
  return found;
}
