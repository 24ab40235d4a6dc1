import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "@computeragent/supervisor";
import { describe, expect, it } from "vitest";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { git, makeRepository } from "../fixtures/git-repository.ts";
import { loadInto, TINY, wireErrorOf } from "../fixtures/load.ts";
import { agentWith, manifest, skill, tool } from "./agents.test-support.ts";
import { validateSource } from "./validate-source.ts";

const anywhere = { run, localSources: "any", signal: new AbortController().signal } as const;
const X31 = (result: Awaited<ReturnType<typeof validateSource>>): string[] =>
  result.findings.filter(({ rule }) => rule === "X31").map(({ file, severity }) => `${file} ${severity}`);

describe("a part that a load does not bring", () => {
  it("is told where links lead outside or nowhere, and the load tells the same", async () => {
    await using outside = await agentWith({ "skills/s/SKILL.md": skill("s"), "tools/t.yaml": tool("t") });
    await using agent = await agentWith({ "agents/kept.md": "Help.\n" });
    await mkdir(join(agent.dir, "skills"));
    await symlink("nowhere", join(agent.dir, "RULES.md"));
    await symlink(join(outside.dir, "skills/s"), join(agent.dir, "skills/s"));
    await symlink(join(outside.dir, "tools"), join(agent.dir, "tools"));
    await symlink(outside.dir, join(agent.dir, "agents/other"));
    await symlink(outside.dir, join(agent.dir, "assets"));
    const source = { type: "local", path: agent.dir } as const;
    const mild = await validateSource(source, anywhere);
    expect([mild.valid, X31(mild)]).toEqual([
      true,
      ["RULES.md warning", "agents/other warning", "skills/s warning", "tools warning"],
    ]);
    const severe = await validateSource(source, { ...anywhere, profile: "strict" });
    expect([severe.valid, X31(severe)]).toEqual([
      false,
      ["RULES.md error", "agents/other error", "skills/s error", "tools error"],
    ]);
    await using folders = await testFolders();
    const { notices } = await loadInto(folders, source);
    expect(notices).toEqual(mild.notices);
    const told = notices.filter(({ code }) => code === "gap.source.link").map(({ path }) => path);
    expect(told).toEqual(["RULES.md", "agents/other", "assets", "skills/s", "tools"]);
  });

  it("is told of a commit, too", async () => {
    await using folders = await testFolders();
    const repository = join(folders.root, "repository");
    await makeRepository(repository, { "s/agent.yaml": TINY["agent.yaml"], "SOUL.md": TINY["SOUL.md"] });
    await symlink("../SOUL.md", join(repository, "s/SOUL.md"));
    await symlink("/etc/passwd", join(repository, "s/RULES.md"));
    await git(repository, "add", "--all");
    await git(repository, "commit", "--quiet", "--message", "links");
    const url = pathToFileURL(repository).href;
    const result = await validateSource({ type: "git", url, subdir: "s" }, anywhere);
    expect([result.valid, X31(result)]).toEqual([false, ["RULES.md warning", "SOUL.md warning"]]);
  });

  it("is told where a .gitignore names it, unless agents write it at work or another rule tells", async () => {
    await using agent = await agentWith({
      ...manifest("skills: [listed]\n"),
      ".gitignore": "RULES.md\nskills/\nmemory/\n*.pyc\nknowledge/\n",
      "RULES.md": "Never lie.\n",
      "skills/listed/SKILL.md": skill("listed"),
      "tools/cache.pyc": "",
      "memory/MEMORY.md": "",
      "knowledge/index.yaml": "documents: []\n",
    });
    const source = { type: "local", path: agent.dir } as const;
    const told = await validateSource(source, anywhere);
    expect(told.findings.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
      "X31 RULES.md",
      "X31 knowledge",
      "X30 skills/listed/SKILL.md",
    ]);
    await using skills = await agentWith({ ".gitignore": "skills/\n", "skills/s/SKILL.md": skill("s") });
    await using folders = await testFolders();
    const { notices } = await loadInto(folders, { type: "local", path: skills.dir });
    expect(notices.filter(({ code }) => code.startsWith("gap.source."))).toEqual([
      {
        level: "warning",
        code: "gap.source.ignored",
        path: "skills",
        message: "A .gitignore names this part of the agent: it was not copied.",
      },
    ]);
  });

  it("is no matter when the whole is beyond the limits: that is refused, as a load refuses it", async () => {
    await using agent = await agentWith(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`notes/${i}`, ""])));
    const source = { type: "local", path: agent.dir } as const;
    const limits = { maxFiles: 8 };
    const refused = await wireErrorOf(validateSource(source, { ...anywhere, limits }));
    await using folders = await testFolders();
    const load = await wireErrorOf(loadInto(folders, source, { limits }));
    expect([refused.code, refused.message]).toEqual([load.code, load.message]);
    expect(refused.message).toMatch(/has more than 8 files$/);
    await writeFiles(agent.dir, { ".gitignore": "notes/\n" });
    await rm(join(agent.dir, "notes/0"));
    expect((await validateSource(source, { ...anywhere, limits })).valid).toBe(true);
  });
});
