import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFileNames, testFolders, writeFiles } from "../fixtures/folders.ts";
import { git } from "../fixtures/git-repository.ts";
import { NoticeList } from "../model/notices.ts";
import { Budget } from "./budget.ts";
import { copyTree } from "./copy-tree.ts";

const LIMITS = { maxFiles: 1_000, maxBytes: 1_000_000, timeoutMs: 60_000 };
const signal = new AbortController().signal;
const FILES = ["a", "b", "x/a", "x/b", "x/y/a", "x/y/b", "z/a"];
const name = fc.constantFrom("a", "b", "x", "y", "z", "*", "?", "[ab]", "**");
const line = fc
  .tuple(
    fc.constantFrom("", "!"),
    fc.constantFrom("", "/"),
    fc.array(name, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/"),
  )
  .map(([not, start, names, end]) => not + start + names.join("/") + end);
const rules = fc.array(line, { maxLength: 4 }).map((lines) => `${lines.join("\n")}\n`);

describe("the rules of .gitignore", { timeout: 120_000 }, () => {
  it("leave out what git leaves out", async () => {
    await fc.assert(
      fc.asyncProperty(rules, rules, async (outer, inner) => {
        await using test = await testFolders();
        const from = join(test.root, "from");
        const files = Object.fromEntries(FILES.map((path) => [path, ""]));
        await writeFiles(from, { ...files, ".gitignore": outer, "x/.gitignore": inner });
        await git(test.root, "init", "--quiet", "--template=", "from");
        const kept = await git(from, "ls-files", "--others", "--exclude-standard", "-z");
        const leaveOut = new Set([".git"]);
        const common = { leaveOut, gitignore: true, budget: new Budget(LIMITS), notices: new NoticeList(), signal };
        await copyTree({ from, to: test.dir, ...common });
        expect((await readFileNames(test.dir)).sort()).toEqual(kept.split("\0").filter(Boolean).sort());
      }),
      { numRuns: 80 },
    );
  });

  it("may be any bytes at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await using test = await testFolders();
        const from = join(test.root, "from");
        await writeFiles(from, { "kept/a": "" });
        execFileSync("tee", [join(from, ".gitignore")], { input: bytes, stdio: ["pipe", "ignore", "ignore"] });
        const common = { leaveOut: new Set<string>(), gitignore: true, notices: new NoticeList(), signal };
        await copyTree({ from, to: test.dir, budget: new Budget(LIMITS), ...common });
      }),
      { numRuns: 60 },
    );
  });
});
