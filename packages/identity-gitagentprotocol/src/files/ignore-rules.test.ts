import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFileNames, testFolders, writeFiles } from "../fixtures/folders.ts";
import { git } from "../fixtures/git-repository.ts";
import { NoticeList } from "../model/notices.ts";
import { Budget } from "./budget.ts";
import { copyTree } from "./copy-tree.ts";

const copy = async (from: string, to: string): Promise<string[]> => {
  await copyTree({
    from,
    to,
    leaveOut: new Set([".git", "node_modules"]),
    gitignore: true,
    budget: new Budget({ maxFiles: 10_000, maxBytes: 10_000_000, timeoutMs: 60_000 }),
    notices: new NoticeList(),
    signal: new AbortController().signal,
  });
  return readFileNames(to);
};

describe("gitignore rules", () => {
  it("leave out what the nearest file names, case and all", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "source");
    await writeFiles(source, {
      ".gitignore": "\uFEFF*.log\n/build\nsecret.txt\n!keep.log\n# comment\ndata/**/cache/\n",
      "a.log": "",
      "A.LOG": "",
      "keep.log": "",
      "build/out.js": "",
      "sub/build/out.js": "",
      "sub/.gitignore": "!special.log\n*.tmp\n",
      "sub/special.log": "",
      "sub/other.log": "",
      "sub/x.tmp": "",
      "x.tmp": "",
      "data/a/b/cache/x": "",
      "deep/secret.txt": "",
      "node_modules/pkg/index.js": "",
      ".git/config": "",
      ".env": "kept: nothing names it",
    });
    expect(await copy(source, folders.dir)).toEqual(
      [
        ".env",
        ".gitignore",
        "A.LOG",
        "keep.log",
        "sub/.gitignore",
        "sub/build/out.js",
        "sub/special.log",
        "x.tmp",
      ].sort(),
    );
  });

  it("of the folders above count inside a git work tree, unless they ignore the whole folder", async () => {
    await using folders = await testFolders();
    const top = join(folders.root, "top");
    await writeFiles(top, {
      ".git/HEAD": "",
      ".gitignore": ".env\n/agents/one/private/\n/ignored/\n",
      "agents/one/agent.yaml": "",
      "agents/one/.env": "SECRET=1",
      "agents/one/private/key": "",
      "ignored/two/agent.yaml": "",
      "ignored/two/.env": "",
    });
    expect(await copy(join(top, "agents/one"), folders.dir)).toEqual(["agent.yaml"]);
    expect(await copy(join(top, "ignored/two"), folders.generatedDir)).toEqual([".env", "agent.yaml"]);
  });

  it("of the folders above do not count outside of one", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.root, { ".gitignore": "*\n", "plain/agent.yaml": "" });
    expect(await copy(join(folders.root, "plain"), folders.dir)).toEqual(["agent.yaml"]);
  });

  it("of an outer file still count inside a folder that an inner one brought back, for what they name there", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "source");
    await writeFiles(source, {
      ".gitignore": "*.d\n*.log\n",
      "in/.gitignore": "!*.d\n",
      "in/x.d/kept": "",
      "in/x.d/a.log": "",
      "x.d/gone": "",
    });
    expect(await copy(source, folders.dir)).toEqual([".gitignore", "in/.gitignore", "in/x.d/kept"]);
  });

  it("agree with git on random trees", { timeout: 120_000 }, async () => {
    const name = fc.constantFrom("a", "b", "c.log", "d.tmp");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"));
    const rule = fc
      .tuple(
        fc.constantFrom("", "", "/", "!", "**/"),
        fc.constantFrom("a", "b", "*.log", "*.tmp", "a/b", "c*"),
        fc.constantFrom("", "", "/"),
      )
      .map((parts) => parts.join(""));
    const rules = fc.array(rule, { maxLength: 3 }).map((lines) => lines.join("\n"));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
        rules,
        rules,
        async (paths, outer, inner) => {
          await using folders = await testFolders();
          const source = join(folders.root, "source");
          await writeFiles(source, { ".gitignore": outer, "a/.gitignore": inner });
          for (const file of paths) await writeFiles(source, { [file]: "" }).catch(() => undefined);
          await git(source, "init", "--quiet", "--template=");
          const expected = (await git(source, "ls-files", "--others", "--exclude-standard", "-z")).split("\0");
          expect(await copy(source, folders.dir)).toEqual(expected.filter((file) => file !== "").sort());
        },
      ),
      { numRuns: 25 },
    );
  });
});
