import { describe, expect, it } from "vitest";
import { translate } from "../adapters/translate.ts";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { TINY } from "../fixtures/load.ts";
import { readAgent } from "./read-agent.ts";

async function read(manifest: string, files: Readonly<Record<string, string>> = {}) {
  await using folders = await testFolders();
  await writeFiles(folders.dir, {
    "SOUL.md": TINY["SOUL.md"],
    ...files,
    "agent.yaml": `name: a\nversion: 1.0.0\n${manifest}`,
  });
  const { agent, notices } = await readAgent(folders.dir);
  const told = [...notices, ...translate(agent, "claude-agent-sdk").notices];
  return {
    agent,
    translation: translate(agent, "claude-agent-sdk"),
    told: told.map(({ code, path }) => `${code} ${path}`),
  };
}

describe("the dialects of GitAgentProtocol", () => {
  it("load without a description, which is noticed", async () => {
    const { agent, told } = await read("");
    expect(agent.manifest.description).toBe("a");
    expect(told).toEqual(["gap.dialect agent.yaml#/description"]);
  });

  it.each(["claude-opus-4-6", "anthropic/claude-opus-4-6", "anthropic:claude-opus-4-6"])(
    "spell a model %s",
    async (model) => {
      const { translation } = await read(`description: d\nmodel: {preferred: "${model}"}`);
      expect(translation.model).toEqual({ preferred: "claude-opus-4-6", fallbacks: [] });
    },
  );

  it.each(["always", "conditional", "advisory", "destructive", "none"])("say human_in_the_loop: %s", async (hitl) => {
    const { translation, told } = await read(`description: d\ncompliance: {supervision: {human_in_the_loop: ${hitl}}}`);
    expect(translation.governance).toEqual({ hitl });
    expect(told).toEqual([]);
  });

  it("bound the cost in runtime or in metadata, the smaller counts", async () => {
    const { translation } = await read("description: d\nruntime: {budget_usd: 2}\nmetadata: {budget_usd: 0.5}");
    expect(translation.governance).toEqual({ limits: { maxBudgetUsd: 0.5 } });
  });

  it.each(["script", "path"])("name a tool's file %s", async (key) => {
    const tool = `name: t\ndescription: d\ninput_schema: {type: object}\nimplementation: {type: script, ${key}: t.sh}\n`;
    const { told } = await read("description: d\ntools: [t]", { "tools/t.yaml": tool });
    expect(told).toEqual(["gap.unsupported.tools agent.yaml#/tools", "gap.unsupported.tools tools"]);
  });

  it("hold unknown keys and metadata that is neither text, number nor flag", async () => {
    const { agent, told } = await read("description: d\nmood: 1\nmetadata: {a: null, b: [1], c: {}, d: x}");
    expect(agent.manifest.metadata).toEqual({ d: "x" });
    expect(told).toEqual([
      "gap.dialect agent.yaml#/metadata/a",
      "gap.dialect agent.yaml#/metadata/b",
      "gap.dialect agent.yaml#/metadata/c",
      "gap.unknown_key agent.yaml#/mood",
      "gap.descriptive agent.yaml#/metadata/d",
    ]);
  });
});
