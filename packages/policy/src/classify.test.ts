import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DESTRUCTIVE } from "./corpus/commands-destructive.ts";
import { HARMLESS } from "./corpus/commands-harmless.ts";
import { HIGH, WRITING } from "./corpus/commands-high.ts";
import { EVASIONS } from "./corpus/evasions.ts";
import { TOOLS } from "./corpus/tools.ts";
import { classify } from "./index.ts";
import { atLeast } from "./risk.ts";

const workspace = "/srv/space";
const bash = (command: string) => classify({ toolName: "Bash", input: { command }, workspace });

describe("command lines", () => {
  it.each(HARMLESS)("medium: %s", (command) => {
    const found = bash(command);
    expect(found).toMatchObject({ risk: "medium", kind: "execute", outside: false });
  });

  it.each(WRITING)("medium, writing: %s", (command) => {
    expect(bash(command)).toMatchObject({ risk: "medium", kind: "write", outside: false });
  });

  it.each(HIGH)("high: %s", (command) => {
    expect(bash(command)).toMatchObject({ risk: "high" });
  });

  it.each([...DESTRUCTIVE, ...EVASIONS])("destructive: %j", (command) => {
    expect(bash(command)).toMatchObject({ risk: "destructive" });
  });

  it("has a corpus of a size", () => {
    expect([HARMLESS, WRITING, HIGH, DESTRUCTIVE, EVASIONS, TOOLS].flat().length).toBeGreaterThan(450);
  });

  it("says which paths are used, and why", () => {
    expect(bash("cd src && cat a ../b > out").paths).toEqual([
      "/srv/space/src/out",
      "/srv/space/src/a",
      "/srv/space/b",
    ]);
    expect(bash("cat /etc/passwd")).toMatchObject({ outside: true, reason: "it reads outside the workspace" });
    expect(bash("rm -r dist").reason).toBe("rm deletes");
  });
});

describe("tools", () => {
  it.each(TOOLS.map((one) => [one.tool, JSON.stringify(one.input), one] as const))("%s %s", (_tool, _input, one) => {
    const { readOnlyHint, versioned } = one;
    const found = classify({
      toolName: one.tool,
      input: one.input,
      workspace,
      ...(readOnlyHint === undefined ? {} : { readOnlyHint }),
      ...(versioned === undefined ? {} : { versioned: () => versioned }),
    });
    expect(found).toMatchObject({ risk: one.risk, kind: one.kind, outside: one.outside ?? false });
    expect(found.reason).not.toBe("");
  });

  it("survives a callback that throws", () => {
    const versioned = (): boolean => {
      throw new Error("disk gone");
    };
    expect(classify({ toolName: "Write", input: { file_path: "a" }, workspace, versioned }).risk).toBe("medium");
  });

  it("judges a workspace at the root", () => {
    expect(classify({ toolName: "Read", input: { file_path: "/etc/x" }, workspace: "/" }).risk).toBe("low");
  });
});

describe("properties", () => {
  const known = fc.constantFrom(...HARMLESS, ...WRITING, ...HIGH, ...DESTRUCTIVE, ...EVASIONS);
  const shellish = fc
    .array(
      fc.constantFrom(
        ..."ls rm cat $ ( ) { } ' \" ` \\ ; & | < > << EOF \n # ! = [ [[ ]] * ~ / .. - -c bash if fi".split(" "),
        " ",
      ),
      {
        maxLength: 25,
      },
    )
    .map((parts) => parts.join(""));
  const line = fc.oneof(known, shellish, fc.string(), fc.string({ unit: "binary" }));

  it("never throws, whatever the input", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom("Bash", "Write", "apply_patch", "Glob")),
        fc.anything(),
        (toolName, input) => {
          classify({ toolName, input, workspace });
        },
      ),
    );
    fc.assert(
      fc.property(line, (command) => atLeast(bash(command).risk, "medium")),
      { numRuns: 2000 },
    );
  });

  it("is never lower with a destructive command added", () => {
    const separator = fc.constantFrom("; ", " && ", " || ", " | ", "\n", " & ");
    fc.assert(
      fc.property(line, separator, fc.constantFrom(...DESTRUCTIVE), (command, join, bad) => {
        fc.pre(!/#|<<|\\$/.test(command));
        expect(bash(command + join + bad).risk).toBe("destructive");
        expect(bash(bad + join + command).risk).toBe("destructive");
      }),
      { numRuns: 1000 },
    );
  });

  it("is never lower with anything added", () => {
    const separator = fc.constantFrom("; ", "\n");
    fc.assert(
      fc.property(known, separator, known, (a, join, b) => {
        fc.pre(!/#|<<|\\$/.test(a));
        const both = bash(a + join + b).risk;
        expect(atLeast(both, bash(b).risk)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("ends on long and deep input", () => {
    for (const piece of ["$(", "(", "`", '"', "bash -c '", "{", "a;", "a|", "<<E\n", "${", "a=", "\\", "=mkfs", "@"])
      expect(atLeast(bash(piece.repeat(20_000)).risk, "medium")).toBe(true);
    for (const start of ["docker ", "npx ", "x ", "git ", "sed ", "kill ", "psql ", "gh ", "env ", "find "])
      for (const piece of ["compose down ", "@", "=mkfs", "-v/", "-1 ", "{}", "p;", "s/a/", "delete ", "-", "--x=/"])
        expect(atLeast(bash(start + piece.repeat(5_000)).risk, "medium")).toBe(true);
    expect(bash("ls; ".repeat(20_000)).risk).toBe("medium");
    expect(bash(`ls ${"a ".repeat(60_000)}`).risk).toBe("destructive");
  });
});
