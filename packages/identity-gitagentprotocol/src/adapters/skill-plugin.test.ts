import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";

const skill = (name: string): string => `---\nname: ${name}\ndescription: A skill\n---\nDo it.\n`;

describe("links inside skills", { timeout: 120_000 }, () => {
  it("become real copies when they stay inside the identity", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(source, { ...TINY, "shared/style.md": "Be brief.\n", "skills/one/SKILL.md": skill("one") });
    await symlink("../../shared/style.md", join(source, "skills/one/style.md"));
    await symlink("../../shared", join(source, "skills/one/shared"));
    await symlink("one", join(source, "skills/two"));
    const result = await loadInto(folders, { type: "local", path: source });
    expect(result.profile.skills?.names).toEqual(["one", "two"]);
    expect(await readTree(join(result.profile.skills?.pluginDir ?? "", "skills"))).toEqual({
      one: "<folder>",
      "one/SKILL.md": skill("one").replace("Do", "\nDo"),
      "one/shared": "<folder>",
      "one/shared/style.md": "Be brief.\n",
      "one/style.md": "Be brief.\n",
      two: "<folder>",
      "two/SKILL.md": skill("two").replace("Do", "\nDo"),
      "two/shared": "<folder>",
      "two/shared/style.md": "Be brief.\n",
      "two/style.md": "Be brief.\n",
    });
  });

  it("end where they would go round in a circle", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(source, { ...TINY, "skills/one/SKILL.md": skill("one"), "skills/one/deep/a.txt": "a" });
    await symlink("../..", join(source, "skills/one/deep/up"));
    const result = await loadInto(folders, { type: "local", path: source });
    const tree = await readTree(result.profile.skills?.pluginDir ?? "");
    expect(tree["skills/one/deep/a.txt"]).toBe("a");
    expect(noticeCodes(result)).toContain("gap.skill.link");
  });

  it("cannot multiply a skill without end", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    const levels = Array.from({ length: 20 }, (_, index) => `level-${index}`);
    await writeFiles(source, {
      ...TINY,
      "skills/one/SKILL.md": skill("one"),
      ...Object.fromEntries(levels.map((level) => [`${level}/file.txt`, "x"])),
    });
    await symlink("../../level-0", join(source, "skills/one/start"));
    for (const [index, level] of levels.slice(0, -1).entries()) {
      await symlink(`../level-${index + 1}`, join(source, level, "left"));
      await symlink(`../level-${index + 1}`, join(source, level, "right"));
    }
    const limits = { maxFiles: 500, maxBytes: 1_000_000, timeoutMs: 60_000 };
    const error = await wireErrorOf(loadInto(folders, { type: "local", path: source }, { limits }));
    expect(error.code).toBe("SOURCE_UNREACHABLE");
    expect(await readTree(folders.generatedDir)).toEqual({});
  });
});
