// Runs the tests and judges their result and their coverage.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIN_LINES, packageCoverage } from "./coverage.mjs";
import { ensureSystemCommands } from "./debian.mjs";
import { runTool } from "./run-tool.mjs";
import { countTests } from "./test-report.mjs";

const LIMIT_MS = 60 * 60_000;

/** @typedef {{ name: string, passed: number, failed: number, ms: number, note: string }} Row one line of the summary */

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} root
 * @returns {Row}
 */
function coverageRow(root) {
  const summary = readJson(join(root, "coverage", "coverage-summary.json"));
  const packages = summary === undefined ? [] : packageCoverage(summary, root);
  const low = packages.filter((pkg) => !pkg.ok);
  const show = (/** @type {import("./coverage.mjs").PackageCoverage} */ pkg) =>
    `${pkg.name} ${pkg.percent.toFixed(1)} %`;
  const note =
    packages.length === 0
      ? "no coverage was measured"
      : low.length > 0
        ? `below ${MIN_LINES} % of lines: ${low.map(show).join(", ")}`
        : packages.map(show).join(", ");
  const ok = packages.length > 0 && low.length === 0;
  return { name: "coverage", passed: ok ? 1 : 0, failed: ok ? 0 : 1, ms: 0, note };
}

/**
 * @param {string} root
 * @param {import("./check-options.mjs").CheckOptions} options
 * @param {(text: string) => void} say
 * @returns {Promise<Row[]>}
 */
export async function checkTests(root, options, say) {
  const system = ensureSystemCommands(say);
  /** @type {Row[]} */
  const rows = system === "" ? [] : [{ name: "system", passed: 0, failed: 1, ms: 0, note: system }];
  const coverage = options.coverage && options.filters.length === 0;
  const scratch = mkdtempSync(join(tmpdir(), "computeragent-check-"));
  try {
    const json = join(scratch, "vitest.json");
    if (coverage) rmSync(join(root, "coverage"), { recursive: true, force: true });
    const args = [
      join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${json}`,
      ...(coverage ? ["--coverage.enabled", "--coverage.reportOnFailure"] : ["--coverage.enabled=false"]),
      ...options.filters,
    ];
    // The same on a terminal and in CI: a test that reads a program's output must not depend on where it runs.
    const { FORCE_COLOR: _, ...inherited } = process.env;
    const env = { ...inherited, NO_COLOR: "1" };
    // A test that leaves a process behind keeps the runner from ending: the report is there, and nothing more will come.
    const finished = () => existsSync(json);
    const result = await runTool(args, { cwd: root, env, limitMs: LIMIT_MS, live: say, finished });
    const { passed, failed, skipped, problems } = countTests(readJson(json), result.reason);
    const note = [`${passed} passed, ${failed} failed, ${skipped} skipped`, ...problems].join("\n");
    rows.push({ name: "tests", passed, failed, ms: result.ms, note });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  if (coverage) rows.push(coverageRow(root));
  return rows;
}
