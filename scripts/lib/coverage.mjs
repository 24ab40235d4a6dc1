// Line coverage per package, from the summary that the test run writes.

/** The least part of a package's lines that its tests must run, in percent. */
export const MIN_LINES = 80;

/** Entry points that only start what is tested elsewhere, in processes of their own. */
const EXCLUDED = /^packages\/cli\/src\/bin\//;

/** @typedef {{ name: string, percent: number, ok: boolean }} PackageCoverage */

/**
 * @param {Record<string, { lines: { total: number, covered: number } }>} summary keyed by absolute path, and `total`
 * @param {string} root
 * @returns {PackageCoverage[]} the packages with any code, by name
 */
export function packageCoverage(summary, root) {
  /** @type {Map<string, { total: number, covered: number }>} */
  const sums = new Map();
  for (const [file, { lines }] of Object.entries(summary)) {
    if (!file.startsWith(`${root}/`)) continue;
    const path = file.slice(root.length + 1);
    const name = /^packages\/([^/]+)\//.exec(path)?.[1];
    if (name === undefined || EXCLUDED.test(path)) continue;
    const sum = sums.get(name) ?? { total: 0, covered: 0 };
    sums.set(name, { total: sum.total + lines.total, covered: sum.covered + lines.covered });
  }
  return [...sums]
    .filter(([, { total }]) => total > 0)
    .map(([name, { total, covered }]) => {
      const percent = (100 * covered) / total;
      return { name, percent, ok: percent >= MIN_LINES };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}
