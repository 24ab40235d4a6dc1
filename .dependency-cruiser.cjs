// Which part may import which. The table is the one in docs/architecture.md; a package that is not in it may import no other.
const NEEDS = {
  protocol: [],
  redaction: [],
  supervisor: [],
  policy: ["protocol"],
  events: ["protocol"],
  "journal-sqlite": ["protocol"],
  "harness-server": ["protocol", "redaction", "policy"],
  "model-broker": ["protocol", "redaction"],
  "engine-[^/]+": ["protocol", "supervisor"],
  "identity-[^/]+": ["protocol", "supervisor"],
  "runtime-[^/]+": ["protocol", "supervisor"],
  "session-store-[^/]+": ["protocol"],
  testing: ["protocol"],
  sdk: ["protocol", "events"],
  "control-plane": [
    "protocol",
    "policy",
    "events",
    "sdk",
    "harness-server",
    "journal-sqlite",
    "redaction",
    "supervisor",
  ],
  cockpit: ["protocol", "sdk", "events"],
  computeragent: ["sdk", "runtime-local"],
  "create-computeragent": [],
  cli: ["[^/]+"],
};

const NOT_SOURCE = "(bundle|dist|coverage|fixtures|golden|generated)";
const TEST_FILE = "[.]test(-support)?[.]tsx?$";
const names = Object.keys(NEEDS).join("|");

const arrows = Object.entries(NEEDS).map(([name, needs]) => ({
  name: `arrows-${name.replace("-[^/]+", "")}`,
  comment: `may import only: ${needs.join(", ") || "nothing of ours"}`,
  severity: "error",
  from: { path: `^packages/(${name})/`, pathNot: TEST_FILE },
  to: { path: "^packages/", pathNot: ["^packages/$1/", ...needs.map((other) => `^packages/${other}/`)] },
}));

// Tests of a package may also use the doubles and suites of `testing`.
const testArrows = Object.entries(NEEDS).map(([name, needs]) => ({
  name: `arrows-tests-${name.replace("-[^/]+", "")}`,
  comment: `tests may import only: ${[...needs, "testing"].join(", ")}`,
  severity: "error",
  from: { path: `^packages/(${name})/.*${TEST_FILE}` },
  to: {
    path: "^packages/",
    pathNot: ["^packages/$1/", ...[...needs, "testing"].map((other) => `^packages/${other}/`)],
  },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...arrows,
    ...testArrows,
    {
      name: "arrows-unlisted",
      comment: "a new package gets its line in the table of this file first",
      severity: "error",
      from: { path: "^packages/([^/]+)/", pathNot: `^packages/(?:${names})/` },
      to: { path: "^packages/", pathNot: "^packages/$1/" },
    },
    {
      name: "packages-import-packages-only",
      comment: "examples, benchmarks, tests and scripts use the packages, never the other way round",
      severity: "error",
      from: { path: "^packages/" },
      to: { path: "^(examples|bench|tests|scripts)/" },
    },
    {
      name: "through-the-front-door",
      comment: "another package is imported by its name, not by a path into its files",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "through-the-front-door-outside",
      comment: "examples and benchmarks show the public surface: packages are imported by name",
      severity: "error",
      from: { path: "^(examples|bench)/" },
      to: { path: "^packages/", dependencyTypes: ["local"] },
    },
    {
      name: "no-cycles",
      comment: "files that need each other are one file, or miss a third",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-node-here",
      comment: "these packages run in a browser too",
      severity: "error",
      from: { path: "^packages/(sdk|events|policy|redaction|protocol)/src/", pathNot: TEST_FILE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "protocol-needs-zod-alone",
      comment: "everybody depends on the protocol, so it brings one library",
      severity: "error",
      from: { path: "^packages/protocol/src/", pathNot: TEST_FILE },
      to: { pathNot: ["^packages/protocol/", "(^|/)node_modules/zod/"] },
    },
    {
      name: "no-undeclared",
      comment: "what a package imports stands in its package.json, and not as a development dependency",
      severity: "error",
      from: { path: "^packages/[^/]+/src/", pathNot: TEST_FILE },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"] },
    },
    {
      name: "no-unresolvable",
      comment: "an import that leads nowhere",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: [`^(packages|examples|bench|tests)/${NOT_SOURCE}/`, `^(packages|examples|bench|tests)/.+/${NOT_SOURCE}/`],
    },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@computeragent/source", "import", "node", "types", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".cjs", ".js", ".json", ".d.ts"],
      mainFields: ["module", "main", "types"],
    },
    skipAnalysisNotInRules: true,
  },
};
