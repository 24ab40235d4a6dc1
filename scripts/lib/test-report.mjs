// Counts a test run from Vitest's JSON report, so that nothing that went wrong is counted as fine.

/** @typedef {{ passed: number, failed: number, skipped: number, problems: string[] }} TestCount `problems` are failures outside any test */

/**
 * @typedef {{ testResults?: { name: string, status: string, message?: string, assertionResults: { status: string }[] }[] }} VitestReport
 */

/**
 * @param {VitestReport | undefined} report undefined if the runner wrote none
 * @param {string} reason why the runner ended badly; empty if it exited with 0
 * @returns {TestCount}
 */
export function countTests(report, reason) {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  /** @type {string[]} */
  const problems = [];
  for (const file of report?.testResults ?? []) {
    const failedBefore = failed;
    for (const { status } of file.assertionResults) {
      if (status === "passed") passed += 1;
      else if (status === "failed") failed += 1;
      else skipped += 1;
    }
    // A file that cannot be loaded, or whose hook failed, has no failed test to show for it.
    if (file.status === "failed" && failed === failedBefore)
      problems.push(`${file.name}: ${file.message?.trim() || "failed"}`);
  }
  if (report === undefined) problems.push(`the test runner left no report${reason && ` (${reason})`}`);
  else if (passed + failed + problems.length === 0) problems.push("no test was run");
  else if (reason !== "" && failed + problems.length === 0)
    problems.push(`the test runner failed outside any test (${reason})`);
  return { passed, failed: failed + problems.length, skipped, problems };
}
