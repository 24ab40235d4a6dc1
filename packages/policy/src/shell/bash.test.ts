// biome-ignore-all lint/suspicious/noTemplateCurlyInString: command lines, not templates
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVASIONS } from "../corpus/evasions.ts";
import { classify } from "../index.ts";

const BASH = "/bin/bash";
let home = "";

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "policy-bash-"));
  mkdirSync(join(home, "bin"));
  mkdirSync(join(home, "work"));
  const stub = (name: string, body: string): void => {
    writeFileSync(join(home, "bin", name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(home, "bin", name), 0o755);
  };
  stub("rm", `: > ${join(home, "canary")}`);
  for (const name of ["ls", "cat", "grep"]) stub(name, "exit 0");
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Runs a line in a real bash that finds nothing but stand-ins; tells whether `rm` was run. */
function runsRm(line: string): boolean {
  const canary = join(home, "canary");
  rmSync(canary, { force: true });
  spawnSync(BASH, ["-c", line], {
    cwd: join(home, "work"),
    env: { PATH: join(home, "bin") },
    stdio: "ignore",
    timeout: 5000,
  });
  return existsSync(canary);
}

const WORDS =
  "ls cat rm echo true ; && & ( ) ! ' \" \\ ` $( $X ${X} <<< < > # [ [[ ]] ] = X=rm <( )) ? {a, } $' m r | ||";
const SPACED = [
  "rm x",
  "{ ",
  "; }",
  "if ",
  "; then ",
  "; fi",
  "\n",
  "\t",
  "<<EOF\n",
  "\nEOF\n",
  "<<'E'\n",
  "\nE\n",
  "\\\n",
];
const piece = fc.constantFrom(...WORDS.split(" "), ...SPACED);
const harmlessAbsolute = EVASIONS.filter((line) => !/\/bin|kill|sudo|curl|wget/.test(line));
const line = fc.oneof(
  fc
    .array(fc.tuple(piece, fc.constantFrom("", " ")), { minLength: 2, maxLength: 14 })
    .map((all) => all.flat().join("")),
  fc
    .tuple(fc.constantFrom(...harmlessAbsolute), fc.nat(60), piece)
    .map(([text, at, extra]) => text.slice(0, at) + extra + text.slice(at)),
);

describe.skipIf(!existsSync(BASH))("against a real bash", () => {
  it("sees the stand-in that it should see", () => {
    expect(runsRm("rm x")).toBe(true);
    expect(runsRm("echo rm x")).toBe(false);
  });

  it("calls every line destructive that makes bash run rm", () => {
    let run = 0;
    fc.assert(
      fc.property(line, (command) => {
        if (!/r/.test(command) || /\/bin/.test(command)) return;
        if (classify({ toolName: "Bash", input: { command }, workspace: "/srv/space" }).risk === "destructive") return;
        run++;
        expect(runsRm(command)).toBe(false);
      }),
      { numRuns: 1500 },
    );
    expect(run).toBeGreaterThan(20);
  });
});
