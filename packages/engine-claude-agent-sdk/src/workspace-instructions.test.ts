import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readWorkspaceInstructions } from "./workspace-instructions.ts";

describe("readWorkspaceInstructions", () => {
  let dir = "";
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), "ca-instructions-"));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it("prefers CLAUDE.md to AGENTS.md, unless it is empty", async () => {
    expect(await readWorkspaceInstructions(dir)).toBeNull();
    await writeFile(join(dir, "AGENTS.md"), "agents");
    expect(await readWorkspaceInstructions(dir)).toEqual({ file: "AGENTS.md", text: "agents", truncated: false });
    await writeFile(join(dir, "CLAUDE.md"), " \n");
    expect(await readWorkspaceInstructions(dir)).toMatchObject({ file: "AGENTS.md" });
    await writeFile(join(dir, "CLAUDE.md"), "claude");
    expect(await readWorkspaceInstructions(dir)).toMatchObject({ file: "CLAUDE.md", text: "claude" });
  });

  it("reads at most 64 KiB, and cuts no character in two", async () => {
    await writeFile(join(dir, "CLAUDE.md"), `a${"é".repeat(40_000)}`);
    const found = await readWorkspaceInstructions(dir);
    expect(found?.truncated).toBe(true);
    expect(found?.text).toBe(`a${"é".repeat(32_767)}`);
  });

  it("takes regular files only", async () => {
    await writeFile(join(dir, "real.md"), "secret");
    await symlink(join(dir, "real.md"), join(dir, "CLAUDE.md"));
    expect(await readWorkspaceInstructions(dir)).toBeNull();
    await rm(join(dir, "CLAUDE.md"));
    await mkdir(join(dir, "CLAUDE.md"));
    execFileSync("mkfifo", [join(dir, "AGENTS.md")]);
    expect(await readWorkspaceInstructions(dir)).toBeNull();
  });
});
