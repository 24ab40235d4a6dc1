import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@computeragent/supervisor";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentWith, skill, tool } from "./agents.test-support.ts";
import { applyEdits, edit, NASTY, PATHS, TEXTS } from "./edits.test-support.ts";
import { validateAgent } from "./validate-agent.ts";
import { validateSource } from "./validate-source.ts";

describe("a validation", { timeout: 120_000 }, () => {
  it("never rejects, whatever the files of an agent hold", async () => {
    const profiles = fc.constantFrom("lenient" as const, "strict" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), profiles, async (edits, profile) => {
        await using agent = await agentWith({ ...TEXTS, "agents/s": null });
        await applyEdits(agent.dir, edits);
        const signal = new AbortController().signal;
        const source = { type: "local", path: agent.dir } as const;
        const result = await validateSource(source, { run, localSources: "any", profile, signal });
        expect(result.valid).toBe(result.counts.error === 0);
        for (const { file, pointer, message } of result.findings) {
          expect([file, message].every((text) => text !== "")).toBe(true);
          expect(pointer).toMatch(/^(?:\/(?:[^~/]|~[01])*)*$/);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each(NASTY.map((text) => [text.slice(0, 40), text] as const))(
    "survives %j in every file",
    async (_shown, text) => {
      const files = Object.fromEntries([...PATHS, "SOUL.md", "AGENTS.md"].map((path) => [path, text]));
      await using agent = await agentWith({ ...files, "hooks/hooks.yaml": text, "agents/x/agent.yaml": text });
      const result = await validateAgent(agent.dir, { profile: "strict" });
      expect(result.valid).toBe(false);
      expect(result.findings.some(({ rule, file }) => /^(?:A1|A2|X1|X3)$/.test(rule) && file === "agent.yaml")).toBe(
        true,
      );
    },
  );

  it("reads byte order marks and CRLF in every kind of file", async () => {
    const windows = (text: string): string => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    await using agent = await agentWith({
      "agent.yaml": windows("name: tiny\nversion: 1.0.0\ndescription: x\ncompliance: {risk_tier: low}\n"),
      "SOUL.md": windows("You are tiny.\n"),
      "skills/s/SKILL.md": windows(skill("s")),
      "tools/t.yaml": windows(tool("t")),
    });
    expect((await validateAgent(agent.dir, { profile: "strict" })).findings).toEqual([]);
  });

  it("counts what it does not tell: thousands of unknown keys", async () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `k${index}: 1\n`).join("");
    await using agent = await agentWith({ "config/default.yaml": keys });
    const { findings } = await validateAgent(agent.dir);
    expect(findings).toHaveLength(201);
    expect(findings[0]?.message).toBe("2800 more findings of this kind are left out");
  });

  it("stops at two megabytes of YAML and names what it left out", async () => {
    const padding = `# ${"x".repeat(60_000)}\nlog_level: info\n`;
    const files = Array.from({ length: 40 }, (_, index) => [`config/${String(index + 10)}.yaml`, padding]);
    await using agent = await agentWith(Object.fromEntries(files));
    const { findings } = await validateAgent(agent.dir);
    expect(findings.map(({ rule, file }) => [rule, file])).toEqual(
      ["44", "45", "46", "47", "48", "49"].map((name) => ["X23", `config/${name}.yaml`]),
    );
  });

  it("follows sub-agents 8 deep and says where it stops", async () => {
    const files: Record<string, string> = {};
    let prefix = "";
    for (let depth = 1; depth <= 10; depth += 1) {
      prefix += "agents/s/";
      files[`${prefix}agent.yaml`] = "name: s\nversion: 1.0.0\ndescription: Sub\n";
      files[`${prefix}SOUL.md`] = "You help.\n";
    }
    await using agent = await agentWith(files);
    const { findings } = await validateAgent(agent.dir, { profile: "strict" });
    expect(findings.map(({ rule, file }) => [rule, file])).toEqual([["X5", `${"agents/s/".repeat(8)}agents/s`]]);
  });

  it("tells of links that lead outside and of files that may not be read", async () => {
    await using agent = await agentWith({ "SOUL.md": "-> /etc/hostname", "skills/s/SKILL.md": "-> /etc/hostname" });
    await writeFile(join(agent.dir, "DUTIES.md"), "Secret.\n");
    await chmod(join(agent.dir, "DUTIES.md"), 0);
    const { findings } = await validateAgent(agent.dir);
    const told = findings.map(({ rule, file, message }) => `${rule} ${file}: ${message}`);
    expect(told.filter((text) => !text.includes("DUTIES"))).toEqual([
      "S1 SOUL.md: leads outside of the agent",
      "K1 skills/s/SKILL.md: leads outside of the agent",
    ]);
    // The administrator may read everything.
    if (process.getuid?.() !== 0) expect(told).toContain("X21 DUTIES.md: cannot be read (EACCES)");
  });
});
