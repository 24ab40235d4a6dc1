import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { outcome, ROOT, scratch, writeTree } from "./checkout.ts";

const FOLDERS = ["packages", "examples", "bench", "tests", "scripts"];

/** A small workspace that keeps every rule, with the packages linked to each other as pnpm links them. */
function workspace(): string {
  const dir = scratch();
  const needs: Record<string, string[]> = {
    protocol: [],
    redaction: [],
    supervisor: [],
    policy: ["protocol"],
    testing: ["protocol"],
    "harness-server": ["protocol", "redaction", "policy", "testing", "supervisor"],
    newcomer: ["protocol"],
    cli: ["harness-server", "supervisor", "protocol"],
  };
  for (const [name, others] of Object.entries(needs)) {
    const dependencies = Object.fromEntries(others.map((other) => [`@computeragent/${other}`, "workspace:*"]));
    const exported = { "@computeragent/source": "./src/index.ts", default: "./dist/index.js" };
    writeTree(join(dir, "packages", name), {
      "package.json": JSON.stringify({ name: `@computeragent/${name}`, exports: { ".": exported }, dependencies }),
      "src/index.ts": `export const ${name.replace("-", "_")} = 1;\n`,
      "src/leaf.ts": "export type Leaf = string;\n",
    });
    const scope = join(dir, "packages", name, "node_modules", "@computeragent");
    mkdirSync(scope, { recursive: true });
    for (const other of others) symlinkSync(join("..", "..", "..", other), join(scope, other));
  }
  for (const folder of FOLDERS) writeTree(dir, { [`${folder}/keep.ts`]: "export {};\n" });
  writeTree(dir, {
    "package.json": "{}",
    "node_modules/undeclared/package.json": '{"name":"undeclared","main":"index.js"}',
    "node_modules/undeclared/index.js": "",
    "packages/harness-server/src/use.ts":
      'import { protocol } from "@computeragent/protocol";\nimport type { Leaf } from "./leaf.ts";\nexport const x: Leaf = String(protocol);\n',
    "packages/harness-server/src/use.test.ts": 'import "@computeragent/testing";\nimport "node:fs";\n',
    "packages/cli/src/use.ts": 'import "@computeragent/harness-server";\nimport "node:fs";\n',
  });
  return dir;
}

async function cruise(dir: string) {
  const program = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [program, "--config", join(ROOT, ".dependency-cruiser.cjs"), ...FOLDERS];
  return outcome(spawn(process.execPath, args, { cwd: dir, stdio: ["ignore", "pipe", "pipe"] }));
}

/** What may not be imported: the file that does it, its code, and the rule that must catch it. */
const VIOLATIONS = [
  ["an arrow that the table lacks", "harness-server/src/a.ts", "@computeragent/supervisor", "arrows-harness-server"],
  ["the doubles outside a test", "harness-server/src/b.ts", "@computeragent/testing", "arrows-harness-server"],
  [
    "a test's missing arrow",
    "harness-server/src/c.test.ts",
    "@computeragent/supervisor",
    "arrows-tests-harness-server",
  ],
  ["an arrow upwards", "policy/src/d.ts", "../../harness-server/src/index.ts", "arrows-policy"],
  ["a package that is not in the table", "newcomer/src/e.ts", "@computeragent/protocol", "arrows-unlisted"],
  ["a path into another package", "policy/src/f.ts", "../../protocol/src/leaf.ts", "through-the-front-door"],
  ["an import of the examples", "cli/src/g.ts", "../../../examples/keep.ts", "packages-import-packages-only"],
  ["a cycle", "cli/src/h.ts", "./h.ts", "no-cycles"],
  ["Node in a browser-safe package", "policy/src/i.ts", "node:fs", "no-node-here"],
  ["a second library in the protocol", "protocol/src/j.ts", "undeclared", "protocol-needs-zod-alone"],
  ["an undeclared library", "cli/src/k.ts", "undeclared", "no-undeclared"],
  ["an import that leads nowhere", "cli/src/l.ts", "./missing.ts", "no-unresolvable"],
] as const;

describe("the import rules", () => {
  it("pass a workspace that keeps them", async () => {
    const result = await cruise(workspace());
    expect(result.stdout).toContain("no dependency violations found");
    expect(result.code).toBe(0);
  });

  it("catch each violation, also of types alone", async () => {
    const dir = workspace();
    for (const [, file, target] of VIOLATIONS) {
      writeTree(join(dir, "packages"), { [file]: `import type { x } from "${target}";\nexport type Y = x;\n` });
    }
    const result = await cruise(dir);
    expect(result.code).not.toBe(0);
    const missed = VIOLATIONS.filter(
      ([, file, , rule]) => !result.stdout.includes(`error ${rule}: packages/${file} →`),
    );
    expect(missed.map(([what]) => what)).toEqual([]);
  });
});
