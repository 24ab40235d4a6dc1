// biome-ignore-all lint/suspicious/noTemplateCurlyInString: command lines, not templates
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HARMLESS } from "../corpus/commands-harmless.ts";
import { classify } from "../index.ts";
import { atLeast } from "../risk.ts";

const workspace = "/srv/space";
const bash = (command: string) => classify({ toolName: "Bash", input: { command }, workspace });

/** What the grammar is made of. */
const WORDS =
  "ls cat rm echo if then else fi for in do done case esac while { } ( ) (( )) [ [[ ]] ! ; ;; & && | || |& > >> < << <<- <<< >| &> 2>&1 <( >( $( ${ $(( } ` ' \" $' \\ # * ? ~ = a=b $x ${x} -rf -- / .. EOF sudo xargs env eval exec bash -c find -exec \\; {} git".split(
    " ",
  );
const word = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...WORDS) }, fc.string({ maxLength: 6, unit: "binary" }));
const separator = fc.constantFrom(" ", "", "\n", "\t", "\\\n", "\r\n", "\0");
const line = fc.array(fc.tuple(word, separator), { maxLength: 25 }).map((all) => all.flat().join(""));

describe("any command line", () => {
  it("is judged at least as bad as a harmless one, with a reason", () => {
    fc.assert(
      fc.property(line, (command) => {
        const found = bash(command);
        expect(atLeast(found.risk, "medium")).toBe(true);
        expect(found.reason).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });

  it("is not made harmless by what stands around it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HARMLESS),
        fc.constantFrom("\n", ";", "&&", "||", "|", "&"),
        line,
        (before, joint, after) => {
          expect(bash(`true ${joint} rm -rf x\n${after}`).risk).toBe("destructive");
          expect(bash(`${before}\nrm -rf x\n${after}`).risk).toBe("destructive");
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each([...WORDS, "\0", "\n", "\\\n", " ", "a", "a ", "'a' ", "{a,", "$(a ", "echo a; ", "if a; then "])(
    "is judged to its end, 1 MB of %j",
    (piece) => {
      const command = piece.repeat(Math.ceil(1_000_000 / piece.length));
      for (const one of [command, `"${command}`, `x ${command}z`]) expect(atLeast(bash(one).risk, "medium")).toBe(true);
    },
  );
});

describe("any input of a tool", () => {
  const TOOLS = [
    "Bash",
    "Read",
    "Write",
    "Edit",
    "Glob",
    "Grep",
    "apply_patch",
    "shell",
    "mcp__a__b",
    "NotebookEdit",
    "constructor",
    "",
  ];
  it("is classified", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TOOLS), fc.anything(), (toolName, input) => {
        expect(classify({ toolName, input, workspace }).reason).not.toBe("");
      }),
    );
  });

  it("as a path of 1 MB is told inside from outside", () => {
    for (const piece of ["../", "./", "a/", "/", "~", "file://", "\0", "%2e"]) {
      const path = piece.repeat(1_000_000 / piece.length);
      expect(classify({ toolName: "Read", input: { file_path: path }, workspace }).paths).toHaveLength(1);
      expect(classify({ toolName: "Grep", input: { pattern: path }, workspace }).reason).not.toBe("");
    }
  });

  it("as a patch of 1 MB is read", () => {
    for (const piece of ["*** Update File: a\n", "--- a/b\n", "+++ ", "*** ", "\n", "*** Delete File: "]) {
      const input = piece.repeat(1_000_000 / piece.length);
      expect(atLeast(classify({ toolName: "apply_patch", input: { input }, workspace }).risk, "medium")).toBe(true);
    }
  });
});
