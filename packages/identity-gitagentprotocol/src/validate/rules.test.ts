import { run } from "@computeragent/supervisor";
import { describe, expect, it } from "vitest";
import { agentWith } from "./agents.test-support.ts";
import { CASES } from "./cases.test-support.ts";
import { RULES } from "./rules.ts";
import { rulesPage } from "./rules-page.test-support.ts";
import { validateAgent } from "./validate-agent.ts";
import { validateSource } from "./validate-source.ts";

const anywhere = { run, localSources: "any", signal: new AbortController().signal } as const;

describe("each rule", () => {
  it.each(RULES)("$id has an agent that breaks it alone: $what", async ({ id, lenient, strict }) => {
    await using agent = await agentWith(CASES[id]);
    const source = { type: "local", path: agent.dir } as const;
    const severe = await validateSource(source, { ...anywhere, profile: "strict" });
    expect([...new Set(severe.findings.map(({ rule }) => rule))]).toEqual([id]);
    expect(new Set(severe.findings.map(({ severity }) => severity))).toEqual(new Set([strict]));
    expect(severe.valid).toBe(strict !== "error");

    const mild = await validateSource(source, anywhere);
    // In a sub-agent, too, nothing is worse than a warning.
    expect(mild.findings.map(({ rule }) => rule)).toEqual(lenient === "off" ? [] : severe.findings.map(() => id));
    for (const { severity } of mild.findings) expect(severity).toBe(lenient);
  });

  it("has an id of its own", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
  });

  it("stands on the page docs/gap-rules.md as it is in the code", async () => {
    await expect(rulesPage()).toMatchFileSnapshot("../../../../docs/gap-rules.md");
  });
});

describe("an agent without fault", () => {
  it("has no findings, even in strict", async () => {
    await using agent = await agentWith({});
    const result = await validateAgent(agent.dir, { profile: "strict" });
    expect(result).toEqual({
      profile: "strict",
      valid: true,
      agent: { name: "tiny", version: "1.0.0" },
      findings: [],
      counts: { error: 0, warning: 0, info: 0 },
    });
  });
});
