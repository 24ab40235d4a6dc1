import { describe, expect, it } from "vitest";
import {
  agentWith,
  compliance,
  duties,
  type Files,
  highRisk,
  manifest,
  skill,
  sod,
  tool,
  workflow,
} from "./agents.test-support.ts";
import { leavesFolder } from "./scope.ts";
import { validateAgent } from "./validate-agent.ts";

const hook = (script: string): Files => ({
  "hooks/hooks.yaml": `hooks:\n  on_error:\n    - script: ${script}\n      description: Does\n`,
});
const CONFIDENTIAL = ", isolation: {state: full, credentials: separate}";

describe("a finding tells the place", () => {
  it.each<[string, Files, string[]]>([
    ["a missing property", { "tools/t.yaml": "name: t\ndescription: x\n" }, ["T1 tools/t.yaml#/input_schema:1"]],
    ["a key with odd characters", manifest("metadata:\n  a/b~c: []\n"), ["X2 agent.yaml#/metadata/a~1b~0c:6"]],
    ["a nested unknown key", manifest("model:\n  preferred: x\n  cost: 1\n"), ["X1 agent.yaml#/model/cost:7"]],
    ["a parse error", manifest("a: 1\na: 2\n"), ["A1 agent.yaml#:6"]],
    ["frontmatter", { "skills/s/SKILL.md": skill("s", "model: x\n") }, ["X1 skills/s/SKILL.md#/model:4"]],
    ["frontmatter that is none", { "skills/s/SKILL.md": "---\nname: [\n---\n" }, ["K1 skills/s/SKILL.md#:2"]],
    [
      "a sub-agent of a sub-agent",
      {
        "agents/a/agent.yaml": "name: a\nversion: 1.0.0\ndescription: A\n",
        "agents/a/SOUL.md": "You help.\n",
        "agents/a/agents/b/agent.yaml": "name: b\nversion: 1\ndescription: B\n",
        "agents/a/agents/b/SOUL.md": "You help.\n",
      },
      ["A2 agents/a/agents/b/agent.yaml#/version:2"],
    ],
    ["a lightweight sub-agent", { "agents/a.md": "---\nname: a\n---\n" }, ["X4 agents/a.md#:null"]],
  ])("%s", async (_what, files, places) => {
    expect(await placesOf(files)).toEqual(places);
  });
});

describe("paths that lead outside", () => {
  it.each<[string, Files, string[]]>([
    ["a hook in the folder of tools", { ...hook("../tools/x.sh"), "tools/x.sh": "" }, ["X10 /hooks/on_error/0/script"]],
    [
      "a hook through a link",
      { ...hook("out.sh"), "hooks/out.sh": "-> /etc/hostname" },
      ["X10 /hooks/on_error/0/script"],
    ],
    ["a hook that is a folder", { ...hook("here"), "hooks/here": "<folder>" }, ["H2 /hooks/on_error/0/script"]],
    [
      "an absolute document",
      { "knowledge/index.yaml": "documents: [{path: /etc/hostname}]\n" },
      ["X10 /documents/0/path"],
    ],
    [
      "a document of the agent",
      { "knowledge/index.yaml": "documents: [{path: ../SOUL.md}]\n" },
      ["X10 /documents/0/path"],
    ],
    ["a layer of memory", { "memory/memory.yaml": "layers: [{name: a, path: ../../x}]\n" }, ["X10 /layers/0/path"]],
    ["a parent", manifest("extends: ../parent\n"), ["X10 /extends"]],
    ["a parent in git", manifest("extends: https://git.example/a.git\n"), []],
    [
      "a dependency and where it goes",
      manifest("dependencies: [{name: d, source: ../d, mount: ../victim}, {name: e, source: ./e, mount: deps/e}]\n"),
      ["X10 /dependencies/0/mount", "X10 /dependencies/0/source", "X26 /dependencies/1/source"],
    ],
    ["names with a path", manifest("agents:\n  ../x: {}\ndelegation: {router: ../x}\n"), ["A6 /agents/..~1x"]],
    ["a router that is a path", manifest("delegation: {router: ../x}\n"), ["X7 /delegation/router"]],
    ["a router that is there", { ...manifest("delegation: {router: a}\n"), "agents/a.md": "Help.\n" }, []],
  ])("%s", async (_what, files, rules) => {
    expect(await pointersOf(files)).toEqual(rules);
  });

  it.each([
    ["a.md", false],
    ["sub/a.md", false],
    ["sub/../a.md", false],
    ["..", true],
    ["../hooks-of-another/a", true],
    ["../hooks/a", false],
    ["/hooks/a", true],
    ["C:\\a", true],
    ["sub\\..\\..\\a", true],
    ["a\0b", true],
    ["..a", false],
  ])("%j out of a folder: %s", (path, leaves) => {
    expect(leavesFolder(path, "hooks", "hooks")).toBe(leaves);
  });
});

describe("other dialects", () => {
  it.each<[string, Files, string[]]>([
    [
      "a script by its later name",
      { "tools/t.yaml": script("script: t.sh"), "tools/t.sh": "" },
      ["X2 /implementation/script"],
    ],
    [
      "that script, missing",
      { "tools/t.yaml": script("script: t.sh") },
      ["X2 /implementation/script", "X9 /implementation/script"],
    ],
    ["allowed-tools as a list", { "skills/s/SKILL.md": skill("s", "allowed-tools: [Read]\n") }, ["X2 /allowed-tools"]],
    [
      "metadata without quotes",
      { "skills/s/SKILL.md": skill("s", "metadata: {version: 1.0}\n") },
      ["X2 /metadata/version"],
    ],
    [
      "entries of knowledge",
      { "knowledge/index.yaml": "entries: [{path: ./a.md}]\n", "knowledge/a.md": "" },
      ["X2 /entries"],
    ],
    [
      "ask before destruction",
      compliance("risk_tier: low, supervision: {human_in_the_loop: destructive}"),
      ["X2 /compliance/supervision/human_in_the_loop"],
    ],
    ["a budget that is none", manifest("runtime: {budget_usd: lots}\n"), ["A2 /runtime/budget_usd"]],
    ["models with a provider", manifest("model: {preferred: 'groq:x', fallback: [openai/y, z]}\n"), []],
  ])("%s", async (_what, files, rules) => {
    expect(await pointersOf(files)).toEqual(rules);
  });
});

describe("the finer points", () => {
  it.each<[string, Files, string[]]>([
    [
      "advisory duties under high risk",
      highRisk(`, ${sod(`, enforcement: advisory${CONFIDENTIAL}`)}`),
      ["D7 /compliance/segregation_of_duties/enforcement"],
    ],
    [
      "a conflict of a role with itself",
      duties("", "[[a, a], [a, b]]"),
      ["D2 /compliance/segregation_of_duties/conflicts/0"],
    ],
    [
      "a role that nobody holds",
      duties(", assignments: {x: [a]}"),
      ["D8 /compliance/segregation_of_duties/assignments"],
    ],
    [
      "the agent's own duties",
      duties(", assignments: {tiny: [a], s: [b]}", "[[a, b]]", "agents: {s: {}}\n"),
      ["A6 /agents/s"],
    ],
    [
      "no folder of artifacts",
      compliance("risk_tier: high, supervision: {human_in_the_loop: always}, recordkeeping: {audit_logging: true}"),
      Array(4).fill("C10 /compliance/risk_tier"),
    ],
    [
      "a payload is no payment",
      { ...highRisk("", "tools: [read-payload]\n"), "tools/read-payload.yaml": tool("read-payload") },
      [],
    ],
    [
      "a cap of zero, not enabled",
      compliance("risk_tier: low, financial_governance: {enabled: false, spending: {max_per_transaction_cents: 0}}"),
      ["A2 /compliance/financial_governance/spending/max_per_transaction_cents"],
    ],
    [
      "steps",
      {
        "workflows/w.yaml": workflow(
          "  - {id: a, action: x, agent: tiny}\n  - {id: a, action: x, depends_on: [zz]}\n  - {id: c, action: x, depends_on: [a]}\n",
        ),
      },
      ["X18 /steps/1/depends_on/0", "X18 /steps/1/id"],
    ],
    [
      "an unknown step",
      { "workflows/w.yaml": workflow("  - {id: a, action: x, depends_on: [zz]}\n") },
      ["X18 /steps/0/depends_on/0"],
    ],
    [
      "two skills of one name",
      { "skills/a/SKILL.md": skill("a"), "skills/b/SKILL.md": skill("a") },
      ["K3 /name", "X11 /name"],
    ],
    [
      "long names and descriptions",
      { "skills/s/SKILL.md": `---\nname: ${"s".repeat(65)}\ndescription: ${"d".repeat(1_025)}\n---\n` },
      ["K3 /name", "K4 /name", "K4 /description"],
    ],
    [
      "frontmatter that is too long",
      { "skills/s/SKILL.md": skill("s", `metadata: {a: ${"x".repeat(17_000)}}\n`) },
      ["K1 "],
    ],
  ])("%s", async (_what, files, rules) => {
    expect(await pointersOf(files)).toEqual(rules);
  });

  it("advisory duties make a warning of a conflict", async () => {
    await using agent = await agentWith(duties(", enforcement: advisory, assignments: {x: [a, b]}"));
    const { findings, valid } = await validateAgent(agent.dir, { profile: "strict" });
    expect([valid, findings.map(({ rule, severity }) => [rule, severity])]).toEqual([true, [["D4", "warning"]]]);
  });

  it("what is wrong with a sub-agent is a warning in lenient and an error in strict", async () => {
    await using agent = await agentWith({ "agents/a/agent.yaml": "name: a\nversion: 1.0.0\ndescription: A\n" });
    const [lenient, strict] = await Promise.all([
      validateAgent(agent.dir),
      validateAgent(agent.dir, { profile: "strict" }),
    ]);
    expect(lenient.findings[0]).toMatchObject({ rule: "S1", file: "agents/a/SOUL.md", severity: "warning" });
    expect([lenient.valid, strict.valid]).toEqual([true, false]);
  });
});

function script(reference: string): string {
  return tool("t", `implementation: {type: script, ${reference}, runtime: bash}\n`);
}

async function placesOf(files: Files): Promise<string[]> {
  await using agent = await agentWith(files);
  const { findings } = await validateAgent(agent.dir, { profile: "strict" });
  return findings.map(({ rule, file, pointer, line }) => `${rule} ${file}#${pointer}:${line}`);
}

async function pointersOf(files: Files): Promise<string[]> {
  await using agent = await agentWith(files);
  const { findings } = await validateAgent(agent.dir, { profile: "strict" });
  return findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
}
