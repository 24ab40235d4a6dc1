import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { testFolders, writeFiles } from "../fixtures/folders.ts";
import { TINY, wireErrorOf } from "../fixtures/load.ts";
import { type AgentReading, readAgent } from "./read-agent.ts";

const manifest = (more: string): string => `${TINY["agent.yaml"]}${more}\n`;

async function read(files: Readonly<Record<string, string>>): Promise<AgentReading> {
  await using folders = await testFolders();
  await writeFiles(folders.dir, { ...TINY, ...files });
  return await readAgent(folders.dir);
}

/** `file#pointer: message` of each problem. */
async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  const error = await wireErrorOf(work);
  expect(error.code).toBe("IDENTITY_INVALID");
  return (error.errors ?? []).map(({ file, pointer, message }) => `${file}#${pointer}: ${message}`);
}

describe("readAgent", () => {
  it("reports every problem of a broken repository with file, pointer and line", async () => {
    const broken = fileURLToPath(new URL("../fixtures/repos/broken", import.meta.url));
    const problems = await problemsOf(readAgent(broken));
    await expect(`${problems.join("\n")}\n`).toMatchFileSnapshot("../golden/broken.problems.txt");
  });

  it.each<[Record<string, string>, string[]]>([
    [{ "SOUL.md": "" }, ["SOUL.md#: is empty"]],
    [{ "SOUL.md": "  \n\n" }, ["SOUL.md#: is empty"]],
    [{ "SOUL.md": "# Soul\n\n## Values\n" }, ["SOUL.md#: has headings but no text"]],
    [{ "RULES.md": "a\0b" }, ["RULES.md#: is not valid UTF-8 text"]],
    [{ "agent.yaml": "" }, ["agent.yaml#: is empty"]],
    [{ "agent.yaml": "- a\n- b\n" }, ["agent.yaml#: must be a map, not a list (line 1)"]],
    [{ "agent.yaml": `${TINY["agent.yaml"]}name: twice\n` }, ['agent.yaml#: repeats the key "name" (line 4)']],
    [{ "agent.yaml": `${TINY["agent.yaml"]}# ${"x".repeat(70_000)}\n` }, ["agent.yaml#: is larger than 65536 bytes"]],
    [
      { "agent.yaml": manifest("runtime:\n  budget_usd: -1") },
      ["agent.yaml#/runtime/budget_usd: must be a number above 0 (line 5)"],
    ],
    [
      { "agent.yaml": manifest("skills: [gone]\ntools: [gone]\nagents:\n  gone: {}\n  ../up: {}") },
      [
        "agent.yaml#/skills/0: there is no folder skills/gone (line 4)",
        "agent.yaml#/tools/0: there is no file tools/gone.yaml (line 5)",
        "agent.yaml#/agents/gone: there is neither a folder agents/gone nor a file agents/gone.md (line 7)",
        "agent.yaml#/agents/..~1up: there is neither a folder agents/../up nor a file agents/../up.md (line 8)",
      ],
    ],
    [
      {
        "skills/a/SKILL.md": "text",
        "skills/b/SKILL.md": "---\nname: b\n",
        "skills/c/SKILL.md": "---\n# nothing\n---\n",
      },
      [
        "skills/a/SKILL.md#: must begin with frontmatter between two lines of ---",
        "skills/b/SKILL.md#: must begin with frontmatter between two lines of ---",
        "skills/c/SKILL.md#: is empty",
      ],
    ],
    [
      { "skills/a/SKILL.md": "---\nname: A Skill\nlicense: [MIT]\n---\n" },
      [
        "skills/a/SKILL.md#/name: must be lower-case letters, digits and single hyphens, beginning with a letter and not ending in a hyphen (line 2)",
        "skills/a/SKILL.md#/description: is required (line 2)",
        "skills/a/SKILL.md#/license: must be text, not a list (line 3)",
      ],
    ],
  ])("refuses %j", async (files, expected) => {
    expect(await problemsOf(read(files))).toEqual(expected);
  });

  it("says which name the manifest must have", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.dir, { "agent.yml": TINY["agent.yaml"], "SOUL.md": TINY["SOUL.md"] });
    expect(await problemsOf(readAgent(folders.dir))).toEqual([
      "agent.yaml#: is missing (agent.yml is not read: rename it)",
    ]);
  });

  it("is lenient with what harms nobody, and says so", async () => {
    const { agent, notices } = await read({
      "agent.yaml": manifest("mood: sunny\nmetadata:\n  budget_usd: lots"),
      "skills/one/SKILL.md": "---\nname: other\ndescription: x\nallowed-tools: [Read, Write]\nversion: 1\n---\nBody",
      "skills/Not A Name/SKILL.md": "",
      "skills/nothing/readme.md": "",
      "RULES.md": " \n",
    });
    expect(agent.skills.map((skill) => [skill.name, skill.body])).toEqual([["one", "Body"]]);
    expect(agent.documents).not.toHaveProperty("rules");
    expect(notices.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "gap.unsupported.budget agent.yaml#/metadata/budget_usd",
      "gap.unknown_key agent.yaml#/mood",
      "gap.skill.name skills/Not A Name",
      "gap.skill.empty skills/nothing",
      "gap.skill.spelling skills/one/SKILL.md#/allowed-tools",
      "gap.unsupported.allowed_tools skills/one/SKILL.md#/allowed-tools",
      "gap.skill.name skills/one/SKILL.md#/name",
      "gap.unknown_key skills/one/SKILL.md#/version",
    ]);
  });

  it("takes a listed skill without SKILL.md for none, and says so", async () => {
    const { agent, notices } = await read({
      "agent.yaml": manifest("skills: [one, nothing]"),
      "skills/one/SKILL.md": "---\nname: one\ndescription: x\n---\nBody",
      "skills/nothing/readme.md": "",
    });
    expect(agent.skills.map(({ name }) => name)).toEqual(["one"]);
    expect(notices.map(({ code, path }) => `${code} ${path}`)).toEqual(["gap.skill.empty skills/nothing"]);
  });

  it("cuts a text that is too long for any prompt at a character, and says so", async () => {
    const { agent, notices } = await read({ "RULES.md": `x${"é".repeat(40_000)}` });
    expect(agent.documents.rules?.text).toBe(`x${"é".repeat(32_767)}`);
    expect(notices.map((notice) => [notice.code, notice.path])).toEqual([["gap.instructions.cut", "RULES.md"]]);
  });

  it("counts a flood of notices instead of passing it on", async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `unknown_${index}: 1`).join("\n");
    const { notices } = await read({ "agent.yaml": manifest(keys) });
    expect(notices).toHaveLength(26);
    expect(notices.at(-1)?.message).toBe("275 more notices of this kind are left out.");
  });
});
