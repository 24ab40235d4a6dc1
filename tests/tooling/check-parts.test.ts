import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CHECKS, parseCheckOptions } from "../../scripts/lib/check-options.mjs";
import { packageCoverage } from "../../scripts/lib/coverage.mjs";
import { missingPackages } from "../../scripts/lib/debian.mjs";
import { MAX_LINES, tooLong } from "../../scripts/lib/file-size.mjs";
import { countTests } from "../../scripts/lib/test-report.mjs";
import { closure, packageGlobs, workspacePackages } from "../../scripts/lib/workspace.mjs";
import { ROOT, scratch, writeTree } from "./checkout.ts";

describe("parseCheckOptions", () => {
  it("runs everything by default", () => {
    expect(parseCheckOptions([])).toEqual({ only: new Set(CHECKS), coverage: true, filters: [] });
  });

  it("takes a selection and file filters", () => {
    const options = parseCheckOptions(["--only", "lint,tests", "--no-coverage", "packages/sdk"]);
    expect(options).toEqual({ only: new Set(["lint", "tests"]), coverage: false, filters: ["packages/sdk"] });
    expect(parseCheckOptions(["--only=size"])).toMatchObject({ only: new Set(["size"]) });
  });

  it.each([[["--only", "style"]], [["--only"]], [["--only="]], [["--fast"]]])("refuses %j", (argv) => {
    expect(parseCheckOptions(argv)).toEqual(expect.any(String));
  });
});

describe("countTests", () => {
  const file = (status: string, tests: string[], message = "") => ({
    name: "a.test.ts",
    status,
    message,
    assertionResults: tests.map((test) => ({ status: test })),
  });
  const count = (files: ReturnType<typeof file>[], reason = "") => countTests({ testResults: files }, reason);

  it("counts tests", () => {
    const files = [file("passed", ["passed", "passed", "skipped"]), file("failed", ["failed", "passed", "pending"])];
    expect(count(files, "exit 1")).toEqual({ passed: 3, failed: 1, skipped: 2, problems: [] });
  });

  it("counts a file that could not be loaded", () => {
    const result = count([file("failed", [], "SyntaxError"), file("passed", ["passed"])], "exit 1");
    expect(result).toMatchObject({ passed: 1, failed: 1, problems: ["a.test.ts: SyntaxError"] });
  });

  it("counts an error outside any test, a time-out, a crash and an empty run as failures", () => {
    expect(count([file("passed", ["passed"])], "exit 1")).toMatchObject({ passed: 1, failed: 1 });
    expect(count([file("passed", ["passed"])], "took longer than 60 s")).toMatchObject({ failed: 1 });
    expect(countTests(undefined, "SIGKILL")).toMatchObject({ passed: 0, failed: 1 });
    expect(count([])).toMatchObject({ passed: 0, failed: 1 });
    expect(count([file("passed", ["skipped"])])).toMatchObject({ failed: 1, skipped: 1 });
  });
});

describe("packageCoverage", () => {
  const lines = (total: number, covered: number) => ({ lines: { total, covered } });

  it("adds up each package by itself and leaves entry points and empty packages out", () => {
    const summary = {
      total: lines(1000, 1000),
      "/r/packages/a/src/x.ts": lines(90, 90),
      "/r/packages/a/src/y.ts": lines(10, 0),
      "/r/packages/b/src/x.ts": lines(100, 79),
      "/r/packages/cli/src/bin/giga.ts": lines(50, 0),
      "/r/packages/cli/src/run.ts": lines(10, 8),
      "/r/packages/types/src/index.ts": lines(0, 0),
      "/r/scripts/check.mjs": lines(10, 0),
    };
    expect(packageCoverage(summary, "/r")).toEqual([
      { name: "a", percent: 90, ok: true },
      { name: "b", percent: 79, ok: false },
      { name: "cli", percent: 80, ok: true },
    ]);
  });
});

describe("tooLong", () => {
  it("names source files over the limit, and no others", () => {
    const dir = scratch();
    const lines = (count: number) => "x\n".repeat(count);
    writeTree(dir, {
      "packages/a/src/fits.ts": lines(MAX_LINES),
      "packages/a/src/long.ts": lines(MAX_LINES + 1),
      "packages/a/src/unended.mjs": `${lines(MAX_LINES)}x`,
      "packages/a/src/generated/long.ts": lines(999),
      "packages/a/src/fixtures/long.ts": lines(999),
      "packages/a/dist/long.ts": lines(999),
      "packages/a/src/data.json": lines(999),
    });
    expect(tooLong(dir, ["packages"]).sort()).toEqual([
      expect.stringMatching(/^packages\/a\/src\/long\.ts: 251 lines/),
      expect.stringMatching(/^packages\/a\/src\/unended\.mjs: 251 lines/),
    ]);
  });
});

describe("missingPackages", () => {
  it("names each package once, and none when all commands are there", () => {
    expect(missingPackages(() => true)).toEqual([]);
    const all = missingPackages(() => false);
    expect(all).toContain("git");
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the workspace", () => {
  it("is read from its file", () => {
    expect(packageGlobs("packages:\n  - packages/*\n  - 'bench' # note\ncatalog:\n  - no\n  x: 1\n")).toEqual([
      "packages/*",
      "bench",
    ]);
  });

  it("closes over what the command line needs, and nothing more", () => {
    const packages = workspacePackages(ROOT);
    const dirs = closure(packages, "@computeragent/cli").map(({ dir }) => dir);
    expect(dirs).toContain(join("packages", "protocol"));
    expect(dirs).not.toContain("bench");
    expect(packages.map(({ dir }) => dir)).toContain("bench");
  });

  it("survives packages that need each other", () => {
    const pkg = (name: string, internal: string[]) => ({ name, dir: name, internal, hasDependencies: true });
    expect(closure([pkg("a", ["b"]), pkg("b", ["a"]), pkg("c", [])], "a").map(({ name }) => name)).toEqual(["a", "b"]);
  });
});
