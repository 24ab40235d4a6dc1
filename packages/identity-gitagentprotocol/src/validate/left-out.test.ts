import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { loadInto, TINY } from "../fixtures/load.ts";
import { agentWith, type Files, manifest, skill, tool } from "./agents.test-support.ts";
import { leftOutOf } from "./left-out.ts";
import { validateAgent } from "./validate-agent.ts";

const TREE = ["a", "b.txt", "keep/a", "keep/b.txt", "keep/deep/a", "keep/deep/b.txt", "x/y/a", "x/y/b.txt"];
const RULES = [
  "a",
  "/a",
  "*.txt",
  "!b.txt",
  "keep/",
  "!keep/",
  "keep/*",
  "!keep/deep/",
  "x/y",
  "!x/y/a",
  "**/a",
  "deep",
];

describe("what is left out of a load", () => {
  it("is what a load leaves out, whatever the .gitignore files say", { timeout: 120_000 }, async () => {
    const rules = fc.array(fc.constantFrom(...RULES), { maxLength: 4 }).map((lines) => lines.join("\n"));
    const files = fc.record({ "": rules, "keep/": rules, "keep/deep/": rules, "x/": rules });
    let left = 0;
    await fc.assert(
      fc.asyncProperty(files, async (ignores) => {
        await using folders = await testFolders();
        const from = join(folders.root, "from");
        const plain = Object.fromEntries(TREE.map((path) => [path, ""]));
        const ignored = Object.entries(ignores).map(([folder, text]) => [`${folder}.gitignore`, text] as const);
        await writeFiles(from, { ...TINY, ...plain, ...Object.fromEntries(ignored) });
        await loadInto(folders, { type: "local", path: from });
        const isLeftOut = await leftOutOf(from);
        const [told, seen]: [string[], string[]] = [[], []];
        for (const path of TREE) {
          if (await isLeftOut(path)) told.push(path);
          if (!existsSync(join(folders.dir, path))) seen.push(path);
        }
        expect(told).toEqual(seen);
        left += told.length;
      }),
      { numRuns: 100 },
    );
    expect(left).toBeGreaterThan(50);
  });

  it.each<[string, Files, string[]]>([
    ["nothing that matters", { ".gitignore": "memory/\n*.log\n", "memory/x.log": "" }, []],
    [
      "a skill and a tool of the lists",
      {
        ...manifest("skills: [s]\ntools: [t]\n"),
        "skills/.gitignore": "s/\n",
        "skills/s/SKILL.md": skill("s"),
        "tools/t.yaml": tool("t"),
        ".gitignore": "t.yaml\n",
      },
      ["skills/s/SKILL.md", "tools/t.yaml"],
    ],
    [
      "a sub-agent",
      { ...manifest("agents: {s: {}}\n"), "agents/s.md": "Help.\n", ".gitignore": "/agents/\n" },
      ["agents/s.md"],
    ],
    [
      "one of two spellings of a sub-agent",
      {
        ...manifest("agents: {s: {}}\n"),
        "agents/s.md": "Help.\n",
        "agents/s/agent.yaml": "name: s\nversion: 1.0.0\ndescription: S\n",
        "agents/s/SOUL.md": "Help.\n",
        ".gitignore": "*.md\n!/SOUL.md\n",
      },
      [],
    ],
    ["the manifest", { ".gitignore": "*.yaml\n" }, ["agent.yaml"]],
  ])("%s", async (_what, files, expected) => {
    await using agent = await agentWith(files);
    const { findings } = await validateAgent(agent.dir, { isLeftOut: await leftOutOf(agent.dir) });
    expect(findings.filter(({ rule }) => rule === "X30").map(({ file }) => file)).toEqual(expected);
  });
});
