import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { LoadResult } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { testFolders, writeFiles } from "./fixtures/folders.ts";
import { loadInto, noticeCodes, wireErrorOf } from "./fixtures/load.ts";
import { EXAMPLES, present, skipped } from "./fixtures/published-examples.ts";

const title = `the published examples${skipped}`;

async function loadExample(name: string): Promise<LoadResult> {
  await using folders = await testFolders();
  return await loadInto(folders, { type: "local", path: join(EXAMPLES, name) }, { targetEngine: "claude-agent-sdk" });
}

describe.skipIf(!present)(title, () => {
  it.each<[string, string, string[], LoadResult["governance"], LoadResult["model"]]>([
    ["minimal", "hello-agent", [], {}, { fallbacks: [] }],
    [
      "standard",
      "code-review-agent",
      ["code-review"],
      { limits: { maxTurns: 20, maxWallMs: 120_000 } },
      { preferred: "claude-sonnet-4-5-20250929", fallbacks: ["claude-haiku-4-5-20251001"] },
    ],
    [
      "full",
      "compliance-analyst",
      ["document-review", "regulatory-analysis"],
      {
        hitl: "always",
        limits: { maxTurns: 50, maxWallMs: 300_000 },
        compliance: { framework: "finra, federal_reserve, sec, cfpb" },
      },
      { preferred: "claude-opus-4-6", fallbacks: ["claude-sonnet-4-5-20250929"] },
    ],
    ["full/agents/fact-checker", "fact-checker", [], expect.anything(), expect.anything()],
    [
      "gitagent-helper",
      "gitagent-helper",
      ["create-agent", "export-agent", "get-started", "manage-skills", "run-agent"],
      { limits: { maxTurns: 30, maxWallMs: 300_000 } },
      { preferred: "claude-sonnet-4-5-20250929", fallbacks: ["claude-haiku-4-5-20251001"] },
    ],
    ["llm-wiki", "llm-wiki", ["wiki-ingest", "wiki-lint", "wiki-query"], expect.anything(), expect.anything()],
    [
      "lyzr-agent",
      "lyzr-research-agent",
      ["research"],
      { limits: { maxTurns: 10, maxWallMs: 180_000 } },
      { fallbacks: [] },
    ],
    [
      "nvidia-deep-researcher",
      "nvidia-deep-researcher",
      ["knowledge-retrieval", "paper-search", "web-search"],
      { hitl: "conditional", limits: { maxTurns: 50, maxWallMs: 600_000 } },
      { fallbacks: [] },
    ],
    ["nvidia-deep-researcher/agents/planner", "planner", [], expect.anything(), { fallbacks: [] }],
    ["nvidia-deep-researcher/agents/researcher", "researcher", [], expect.anything(), { fallbacks: [] }],
  ])("load: %s", async (folder, name, skills, governance, model) => {
    const result = await loadExample(folder);
    expect(result.info.name).toBe(name);
    expect(result.profile.skills?.names ?? []).toEqual(skills);
    expect(result.governance).toEqual(governance);
    expect(result.model).toEqual(model);
  });

  it("fail where SOUL.md is missing: financial-agent", async () => {
    const error = await wireErrorOf(loadExample("financial-agent"));
    expect(error.errors).toEqual([{ file: "SOUL.md", pointer: "", message: "is missing" }]);
  });

  it("fail for the missing skill alone, not for keys of its own: jason-my-claw", async () => {
    const folder = "jason-my-claw-is-the-law-deebee-4567b4";
    const error = await wireErrorOf(loadExample(folder));
    expect(error.errors?.map(({ file, pointer }) => `${file}#${pointer}`)).toEqual(["agent.yaml#/skills/3"]);

    await using folders = await testFolders();
    const mended = join(folders.root, "mended");
    await cp(join(EXAMPLES, folder), mended, { recursive: true });
    await writeFiles(mended, {
      "skills/exa-search/SKILL.md": "---\nname: exa-search\ndescription: Search\n---\nSearch.\n",
    });
    const result = await loadInto(folders, { type: "local", path: mended });
    const unknown = result.notices.filter((notice) => notice.code === "gap.unknown_key").map((notice) => notice.path);
    expect(unknown).toEqual([
      "agent.yaml#/clawlaw",
      "agent.yaml#/display_name",
      "agent.yaml#/identity",
      "agent.yaml#/model/constraints/context_window_limit",
      "agent.yaml#/operating_system",
      "agent.yaml#/runtime/context_budget_tokens",
      "agent.yaml#/runtime/retry_policy",
      "agent.yaml#/runtime/tool_budget_calls",
      "skills/compute-ladder/SKILL.md#/version",
      "skills/narco-check/SKILL.md#/version",
      "skills/packet-factory/SKILL.md#/version",
    ]);
  });

  it("drop nothing silently: everything that full has and that has no effect is named", async () => {
    expect(noticeCodes(await loadExample("full"))).toEqual([
      "gap.descriptive",
      "gap.unsupported.agents",
      "gap.unsupported.allowed_tools",
      "gap.unsupported.communications",
      "gap.unsupported.compliance_artifacts",
      "gap.unsupported.config",
      "gap.unsupported.data_governance",
      "gap.unsupported.dependencies",
      "gap.unsupported.examples",
      "gap.unsupported.hooks",
      "gap.unsupported.knowledge",
      "gap.unsupported.mcp_servers",
      "gap.unsupported.memory",
      "gap.unsupported.model_constraints",
      "gap.unsupported.model_risk",
      "gap.unsupported.recordkeeping",
      "gap.unsupported.risk_tier",
      "gap.unsupported.segregation_of_duties",
      "gap.unsupported.supervision",
      "gap.unsupported.temperature",
      "gap.unsupported.tools",
      "gap.unsupported.vendor_management",
      "gap.unsupported.workflows",
    ]);
  });
});
