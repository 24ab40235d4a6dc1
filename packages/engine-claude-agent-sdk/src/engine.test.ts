import { createSupervisor } from "@computeragent/supervisor";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createClaudeAgentEngine } from "./index.ts";
import { usableFallbacks } from "./model-names.ts";

describe("the driver", () => {
  it("publishes a schema that refuses what is the operator's, and its version", async () => {
    await using supervisor = await createSupervisor({ hostId: `driver-${process.pid}` });
    const { optionsSchema, version, name, needsModel } = createClaudeAgentEngine({ supervisor });
    expect({ name, needsModel }).toEqual({ name: "claude-agent-sdk", needsModel: true });
    expect(await version()).toMatch(/^\d+\.\d+\.\d+ \(Claude Code \d+\.\d+\.\d+\)$/);
    expect(optionsSchema.parse({ effort: "low", thinking: { type: "disabled" } })).toEqual({
      effort: "low",
      thinking: { type: "disabled" },
    });
    const refused = [
      "pathToClaudeCodeExecutable",
      "executable",
      "extraArgs",
      "settings",
      "settingSources",
      "mcpServers",
      "additionalDirectories",
      "hooks",
      "env",
      "cwd",
      "plugins",
      "permissionMode",
      "allowedTools",
      "systemPrompt",
      "sandbox",
    ];
    for (const option of refused) expect(optionsSchema.safeParse({ [option]: {} }).success).toBe(false);
    const agent = { description: "d", prompt: "p", permissionMode: "bypassPermissions" };
    expect(optionsSchema.safeParse({ agents: { a: agent } }).success).toBe(false);
    expect(z.toJSONSchema(optionsSchema, { io: "input" })).toMatchObject({ additionalProperties: false });
  });
});

describe("usableFallbacks", () => {
  const route = { id: "r", protocol: "anthropic" as const, models: ["local-model"], offline: false };

  it("leaves out the primary, repetitions and what the route does not serve", () => {
    const fallbacks = ["claude-haiku-5-5", "gpt-5", "claude-opus-5-5", "sonnet", "sonnet", "local-model"];
    const { models, notices } = usableFallbacks({ name: "claude-opus-5-5", fallbacks }, route);
    expect(models).toEqual(["claude-haiku-5-5", "sonnet", "local-model"]);
    expect(notices).toMatchObject([{ code: "fallback_model_ignored", message: expect.stringContaining("gpt-5") }]);
  });

  it("passes everything on to an offline route", () => {
    expect(usableFallbacks({ fallbacks: ["gpt-5"] }, { ...route, offline: true })).toEqual({
      models: ["gpt-5"],
      notices: [],
    });
  });
});
