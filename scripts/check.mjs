#!/usr/bin/env node
// Everything that must hold before a change lands. All checks run, even after one failed; the last line counts them.
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCheckOptions } from "./lib/check-options.mjs";
import { checkTests } from "./lib/check-tests.mjs";
import { tooLong } from "./lib/file-size.mjs";
import { killTools, runTool } from "./lib/run-tool.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LIMIT_MS = 10 * 60_000;
const FOLDERS = ["packages", "examples", "bench", "tests", "scripts"];

/** @typedef {import("./lib/check-tests.mjs").Row} Row */

/** @param {string} text */
const say = (text) => void process.stdout.write(text);
/** @param {string} path below node_modules */
const tool = (path) => join(ROOT, "node_modules", path);

/**
 * The tools of a check, one after the other; the first that fails decides.
 * @param {readonly string[][]} lines
 */
async function runAll(lines) {
  for (const args of lines) {
    const result = await runTool(args, { cwd: ROOT, limitMs: LIMIT_MS });
    if (!result.ok) return `${result.output.trimEnd()}\n(${result.reason})`;
  }
  return "";
}

/** The checks besides the tests; each answers with what is wrong, or nothing. @type {Record<string, () => Promise<string>>} */
const STATIC = {
  types: () => {
    const tsc = tool("typescript/bin/tsc");
    return runAll([
      [tsc, "-b"],
      [tsc, "-p", "tsconfig.tests.json"],
    ]);
  },
  lint: () => runAll([[tool("@biomejs/biome/bin/biome"), "check", "--diagnostic-level=warn", "."]]),
  boundaries: () => {
    const depcruise = tool("dependency-cruiser/bin/dependency-cruiser.mjs");
    return runAll([[depcruise, "--config", ".dependency-cruiser.cjs", ...FOLDERS]]);
  },
  unused: () => runAll([[tool("knip/bin/knip.js")]]),
  size: async () => tooLong(ROOT, FOLDERS).join("\n"),
};

/**
 * Runs the static checks two at a time.
 * @param {ReadonlySet<string>} only
 * @returns {Promise<Row[]>}
 */
async function checkStatic(only) {
  const queue = Object.entries(STATIC).filter(([name]) => only.has(name));
  /** @type {Row[]} */
  const rows = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, check] = next;
      const start = performance.now();
      const problem = await check().catch((error) => `${name} could not be run: ${error}`);
      const ms = performance.now() - start;
      say(problem === "" ? `${name} passed\n` : `${name} FAILED\n${problem}\n`);
      rows.push({ name, passed: problem === "" ? 1 : 0, failed: problem === "" ? 0 : 1, ms, note: "" });
    }
  };
  await Promise.all([work(), work()]);
  const order = Object.keys(STATIC);
  return rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}

/** @param {readonly Row[]} rows */
function summary(rows) {
  const line = (/** @type {Row} */ { name, failed, ms, note }) => {
    const seconds = ms === 0 ? "" : `${(ms / 1000).toFixed(1)} s`;
    return `${name.padEnd(12)}${(failed === 0 ? "passed" : "FAILED").padEnd(8)}${seconds.padStart(9)}  ${note.replaceAll("\n", `\n${" ".repeat(31)}`)}`;
  };
  return `\n${rows.map((row) => line(row).trimEnd()).join("\n")}\n`;
}

/** @param {readonly string[]} argv */
async function main(argv) {
  const options = parseCheckOptions(argv);
  if (typeof options === "string") {
    process.stderr.write(`${options}\n`);
    return 2;
  }
  const rows = await checkStatic(options.only);
  if (options.only.has("tests")) rows.push(...(await checkTests(ROOT, options, say)));
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  say(summary(rows));
  say(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** @type {NodeJS.Signals[]} */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => {
    killTools();
    process.exit(128 + constants.signals[signal]);
  });
}
process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  say(`the checks could not be finished: ${error?.stack ?? error}\n0 passed, 1 failed\n`);
  return 1;
});
