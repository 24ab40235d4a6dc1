import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readFileNames, readTree, testFolders } from "../fixtures/folders.ts";
import { loadInto, noticeCodes } from "../fixtures/load.ts";

const repository = (name: string): string => fileURLToPath(new URL(`../fixtures/repos/${name}`, import.meta.url));

describe.each(["claude-agent-sdk", "mock", "another-engine"])("translation for %s", (targetEngine) => {
  it.each(["reviewer", "harness-dialect", "from-windows"])("of %s is the recorded one", async (name) => {
    await using folders = await testFolders();
    const { profile, ...result } = await loadInto(folders, { type: "local", path: repository(name) }, { targetEngine });
    const { instructions, skills } = profile;
    const told = { ...result, skills: skills?.names ?? [] };
    const recorded = `${JSON.stringify(told, null, 2)}\n\n${instructions}\n`;
    await expect(recorded).toMatchFileSnapshot(`../golden/${name}.${targetEngine}.txt`);
  });
});

describe("the generated plug-in", () => {
  it("holds the enabled skills as real copies and nothing else", async () => {
    await using folders = await testFolders();
    const { profile } = await loadInto(folders, { type: "local", path: repository("reviewer") });
    expect(profile.skills?.names).toEqual(["checklist", "report"]);
    expect(await readFileNames(profile.skills?.pluginDir ?? "")).toEqual([
      ".claude-plugin/plugin.json",
      "skills/checklist/SKILL.md",
      "skills/checklist/scripts/tick.sh",
      "skills/report/SKILL.md",
    ]);
  });

  it("keeps only checked frontmatter: no pre-approved tools, no hooks, no model", async () => {
    await using folders = await testFolders();
    const result = await loadInto(folders, { type: "local", path: repository("reviewer") });
    const plugin = await readTree(result.profile.skills?.pluginDir ?? "");
    expect(plugin["skills/checklist/SKILL.md"]).toBe(
      '---\nname: checklist\ndescription: Work through a list and tick it off\nlicense: MIT\nmetadata:\n  version: "1"\n  author: quality\n---\n\nRun `scripts/tick.sh` for each line.\n',
    );
    expect(plugin["skills/report/SKILL.md"]).toBe(
      '---\nname: report\ndescription: "Write the report: short, with sources"\n---\n\nBegin with the worst finding.\n',
    );
    expect(noticeCodes(result)).toEqual(
      expect.arrayContaining(["gap.unknown_key", "gap.unsupported.allowed_tools", "gap.skill.not_listed"]),
    );
  });

  it("is not made when there are no skills", async () => {
    await using folders = await testFolders();
    const { profile } = await loadInto(folders, { type: "local", path: repository("harness-dialect") });
    expect(profile).not.toHaveProperty("skills");
    expect(await readTree(folders.generatedDir)).toEqual({});
  });
});
