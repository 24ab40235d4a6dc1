import { mkdir, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "@computeragent/supervisor";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { makeRepository } from "../fixtures/git-repository.ts";
import { loadInto, TINY, wireErrorOf } from "../fixtures/load.ts";
import { agentWith, skill, tool } from "./agents.test-support.ts";
import { CASES } from "./cases.test-support.ts";
import { applyEdits, edit } from "./edits.test-support.ts";
import { RULES } from "./rules.ts";
import { validateSource } from "./validate-source.ts";

afterEach(() => void vi.unstubAllEnvs());

const signal = new AbortController().signal;
const anywhere = { run, localSources: "any", signal } as const;

describe("a source", () => {
  it("is validated in place when it is a folder, with what git would ignore", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.root, { ...TINY, ".gitignore": "RULES.md\n", "RULES.md": "x\n".repeat(50_000) });
    const result = await validateSource({ type: "local", path: folders.root }, anywhere);
    expect([result.sha, result.findings.map(({ rule }) => rule)]).toEqual([null, ["X22", "X31"]]);
  });

  it("is fetched when it is in git, and nothing of it stays", async () => {
    await using folders = await testFolders();
    const repository = join(folders.root, "repository");
    const sha = await makeRepository(repository, { "a/agent.yaml": TINY["agent.yaml"] });
    const temporary = join(folders.root, "temporary");
    await mkdir(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const url = pathToFileURL(repository).href;
    const result = await validateSource({ type: "git", url, subdir: "a" }, { ...anywhere, profile: "strict" });
    expect([result.sha, result.findings.map(({ rule }) => rule)]).toEqual([sha, ["S1", "C0"]]);
    const failure = await wireErrorOf(validateSource({ type: "git", url, ref: "absent" }, anywhere));
    expect(failure.code).toBe("SOURCE_UNREACHABLE");
    expect(await readdir(temporary)).toEqual([]);
  });

  it("may be inline, and must be allowed", async () => {
    const manifest = { name: "tiny", version: "1.0.0", description: "Tiny" };
    const result = await validateSource({ type: "inline", manifest, files: {} }, anywhere);
    expect(result.findings.map(({ rule, file }) => [rule, file])).toEqual([["S1", "SOUL.md"]]);
    const refused = await wireErrorOf(validateSource({ type: "local", path: tmpdir() }, { run, signal }));
    expect(refused.code).toBe("WORKSPACE_NOT_ALLOWED");
  });

  it("is given up when the caller goes", async () => {
    const reason = new Error("gone");
    const source = { type: "git", url: "https://127.0.0.1:9/o/r.git" } as const;
    const gone = { ...anywhere, signal: AbortSignal.abort(reason) };
    await expect(validateSource(source, gone)).rejects.toBe(reason);
    await using agent = await agentWith({});
    await expect(validateSource({ type: "local", path: agent.dir }, gone)).rejects.toBe(reason);
  });
});

describe("an agent that is valid in lenient", () => {
  it.each(RULES)("can be loaded, also if it breaks $id", async ({ id }) => {
    await using agent = await agentWith(CASES[id]);
    if (!(await validateSource({ type: "local", path: agent.dir }, anywhere)).valid) return;
    await using folders = await testFolders();
    const { info } = await loadInto(folders, { type: "local", path: agent.dir });
    expect(info.version).toBe("1.0.0");
  });

  it("can be loaded, whatever was done to its files", { timeout: 120_000 }, async () => {
    const healthy = { "skills/s/SKILL.md": skill("s"), "tools/t.yaml": tool("t"), "agents/a.md": "Help.\n" };
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 2 }), async (edits) => {
        await using agent = await agentWith(healthy);
        await applyEdits(agent.dir, edits);
        const validation = await validateSource({ type: "local", path: agent.dir }, anywhere);
        if (!validation.valid) return;
        await using folders = await testFolders();
        const { notices } = await loadInto(folders, { type: "local", path: agent.dir });
        expect(validation.notices).toEqual(notices);
        loaded += 1;
      }),
      { numRuns: 150 },
    );
    expect(loaded).toBeGreaterThan(20);
  });
});
