import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentWith, type Files, skill, tool } from "./agents.test-support.ts";
import { CASES } from "./cases.test-support.ts";
import { validateAgent } from "./validate-agent.ts";

const { X23: _many, ...small } = CASES;
const texts: Files = Object.assign({}, ...Object.values(small));
const PATHS = Object.keys(texts).filter((path) => /[.](?:yaml|md)$/.test(path) && !path.startsWith("agents/s/"));

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
  .split("")
  .map((key, index) => `${key}: &${key} [${`*${"abcdefghij"[index]},`.repeat(9)}]\n`)
  .join("")}`;

/** Texts that break careless readers. */
const NASTY = [
  "",
  " ",
  "# only a comment\n",
  "---\n# only a comment\n---\nBody\n",
  "---\n---\n",
  "---\n",
  "null\n",
  "- a\n- b\n",
  "just text\n",
  "5\n",
  "hooks: null\n",
  "hooks: {on_error: [null, 1, [], {script: null}]}\n",
  "documents: [null, 1, {path: null}, {path: /etc/passwd}]\n",
  "steps: [null, 1, {id: null}, {id: a, depends_on: {}}, {id: a, depends_on: [a, null]}]\n",
  "layers: [null, {path: []}]\n",
  "a: 1\na: 2\n",
  "a: !!js/function x\n",
  "a: 1\n---\nb: 2\n",
  "a: &a\n  b: *a\n",
  "__proto__: {x: 1}\nconstructor: 1\nhasOwnProperty: 1\n",
  "? [a, b]\n: c\n",
  bomb,
  `${"[".repeat(5_000)}\n`,
  `a: ${"x".repeat(70_000)}\n`,
  Array.from({ length: 3_000 }, (_, index) => `k${index}: 1\n`).join(""),
  "\uFEFFname: tiny\nversion: 1.0.0\n",
  "name: a\ncompliance: {risk_tier: high, segregation_of_duties: {handoffs: [{action: x}, null], roles: 3, conflicts: [null, [a], 1]}}\n",
  "compliance: {frameworks: finra, segregation_of_duties: {assignments: {x: null}}}\ndependencies: {}\nagents: [a]\nskills: {a: 1}\n",
  "agents: {'': {}, '..': {}, 'a/b': null}\nskills: ['..', '', 3, 'a\\0b']\ntools: ['../../etc/passwd']\ndelegation: {router: '../x'}\n",
] as const;

const bytes = fc.uint8Array({ maxLength: 64 });
const edit = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), path: fc.constantFrom(...PATHS), text: fc.constantFrom(...NASTY) }),
  fc.record({ kind: fc.constant("noise" as const), path: fc.constantFrom(...PATHS), bytes, at: fc.nat(200) }),
  fc.record({ kind: fc.constant("folder" as const), path: fc.constantFrom(...PATHS) }),
  fc.record({ kind: fc.constant("gone" as const), path: fc.constantFrom(...PATHS) }),
);

describe("a validation", { timeout: 120_000 }, () => {
  it("never rejects, whatever the files of an agent hold", async () => {
    const profiles = fc.constantFrom("lenient" as const, "strict" as const);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), profiles, async (edits, profile) => {
        await using agent = await agentWith({ ...texts, "agents/s": null });
        for (const change of edits) {
          const at = join(agent.dir, change.path);
          const before = Buffer.from(texts[change.path] ?? "");
          await rm(at, { recursive: true, force: true });
          await mkdir(dirname(at), { recursive: true });
          if (change.kind === "text") await writeFile(at, change.text);
          if (change.kind === "noise") {
            await writeFile(
              at,
              Buffer.concat([before.subarray(0, change.at), change.bytes, before.subarray(change.at)]),
            );
          }
          if (change.kind === "folder") await mkdir(at, { recursive: true });
        }
        const result = await validateAgent(agent.dir, { profile });
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
