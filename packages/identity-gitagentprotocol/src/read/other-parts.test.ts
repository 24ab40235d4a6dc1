import { describe, expect, it } from "vitest";
import { translate } from "../adapters/translate.ts";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { TINY } from "../fixtures/load.ts";
import { readAgent } from "./read-agent.ts";

describe("a part of a repository without effect", () => {
  it.each([
    [".claude/skills/x/SKILL.md", ".claude/skills"],
    [".gitagent_adapter", ".gitagent_adapter"],
    [".github_models", ".github_models"],
    [".lyzr_agent_id", ".lyzr_agent_id"],
    ["PROMPT.md", "PROMPT.md"],
    ["agents/x.md", "agents"],
    ["compliance/risk-assessment.md", "compliance"],
    ["config/default.yaml", "config"],
    ["context.md", "context.md"],
    ["examples/good-outputs.md", "examples"],
    ["hooks/hooks.yaml", "hooks"],
    ["knowledge/loose.md", "knowledge"],
    ["memory/MEMORY.md", "memory"],
    ["tools/t.yaml", "tools"],
    ["workflows/w.yaml", "workflows"],
  ])("is noticed: %s", async (file, path) => {
    await using folders = await testFolders();
    await writeFiles(folders.dir, { ...TINY, [file]: "text\n" });
    const { agent } = await readAgent(folders.dir);
    const [notice, ...others] = translate(agent, "mock").notices;
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ path, code: expect.stringMatching(/^gap\.unsupported\.(?!other)/) });
  });
});
