import { describe, expect, it } from "vitest";
import { agentWith, type Files, manifest, skill, tool } from "./agents.test-support.ts";
import { validateAgent } from "./validate-agent.ts";

async function told(files: Files): Promise<string[]> {
  await using agent = await agentWith(files);
  const findSecrets = (text: string) =>
    [...text.matchAll(/hush-\d+/g)].map(({ index }) => ({ kind: "hush", start: index }));
  const { findings } = await validateAgent(agent.dir, { profile: "strict", findSecrets });
  return findings.map(({ rule, file, pointer, line }) => `${rule} ${file}#${pointer}:${line}`);
}

const PACKAGE = {
  name: "s",
  version: "1.0.0",
  description: "d",
  skill: { name: "s", description: "d" },
  published_at: "2026-01-15T10:00:00Z",
};

describe("marketplace files", () => {
  it.each<[string, string, string[]]>([
    ["with tabs", JSON.stringify(PACKAGE, null, "\t"), []],
    ["with a byte order mark and CRLF", `\uFEFF${JSON.stringify(PACKAGE, null, 2).replaceAll("\n", "\r\n")}`, []],
    ["in YAML", "name: s\nversion: 1.0.0\n", ["X24 skills/s/marketplace.json#:null"]],
    ["that end too soon", '{"name": "s"', ["X24 skills/s/marketplace.json#:1"]],
    [
      "with a time that is none, and an unknown key",
      JSON.stringify({ ...PACKAGE, published_at: "yesterday", price: 1 }, null, 1),
      ["X24 skills/s/marketplace.json#/published_at:9", "X1 skills/s/marketplace.json#/price:10"],
    ],
  ])("%s", async (_what, text, expected) => {
    expect(await told({ "skills/s/SKILL.md": skill("s"), "skills/s/marketplace.json": text })).toEqual(expected);
  });
});

describe("secrets", () => {
  it.each<[string, Files, string[]]>([
    [
      "in texts of every kind, by the line",
      { "RULES.md": "a\nb hush-1 hush-2\n", "skills/s/SKILL.md": skill("s", "", "\n\nhush-3\n") },
      ["X27 RULES.md#:2", "X27 RULES.md#:2", "X27 skills/s/SKILL.md#:7"],
    ],
    [
      "in headers, by their names",
      manifest("mcp_servers:\n  s:\n    url: https://mcp.example\n    headers: {Authorization: x, Accept: y}\n"),
      ["X27 agent.yaml#/mcp_servers/s/headers/Authorization:8"],
    ],
    [
      "that are variables",
      manifest(`mcp_servers: {s: {command: x, env: {TOKEN: "${"$"}{TOKEN}", OTHER_KEY: "", N: 1x}}}\n`),
      [],
    ],
    [
      "for tools of the environment",
      { "config/default.yaml": "env_vars: {DB_PASSWORD: x, HOME: y}\n" },
      ["X27 config/default.yaml#/env_vars/DB_PASSWORD:1"],
    ],
    [
      "in headers of a tool",
      {
        "tools/t.yaml": tool(
          "t",
          "implementation: {type: http, url: https://a.example, method: GET, headers: {X-Api-Key: x}}\n",
        ),
      },
      ["X27 tools/t.yaml#/implementation/headers/X-Api-Key:4"],
    ],
  ])("%s", async (_what, files, expected) => {
    expect(await told(files)).toEqual(expected);
  });

  it("are not repeated in the message", async () => {
    await using agent = await agentWith(manifest("mcp_servers: {s: {command: x, env: {API_KEY: abcdef}}}\n"));
    expect(JSON.stringify(await validateAgent(agent.dir))).not.toContain("abcdef");
  });
});

describe("parents and dependencies", () => {
  const dependency = (source: string, mount: string): Files =>
    manifest(`dependencies: [{name: d, source: ${source}, mount: ${mount}}]\n`);
  it.each<[string, Files, string[]]>([
    ["in git are not looked at", dependency("https://git.example/d.git", "deps/d"), []],
    ["by name are not looked at", dependency("registry-name", "deps/d"), []],
    ["that are here", { ...dependency("./lib/d", "deps/d"), "lib/d/agent.yaml": "x" }, []],
    [
      "that are a file",
      { ...dependency("./lib/d", "deps/d"), "lib/d": "x" },
      ["X26 agent.yaml#/dependencies/0/source:5"],
    ],
    [
      "that are mounted onto themselves",
      { ...dependency("./lib/d", "lib/../lib/d/"), "lib/d/agent.yaml": "x" },
      ["X26 agent.yaml#/dependencies/0/mount:5"],
    ],
    ["that are the agent", manifest("extends: .\n"), ["X26 agent.yaml#/extends:5"]],
    ["that are a link outside", { ...manifest("extends: ./p\n"), p: "-> /etc" }, ["X10 agent.yaml#/extends:5"]],
  ])("%s", async (_what, files, expected) => {
    expect(await told(files)).toEqual(expected);
  });
});

describe("tools that skills may use", () => {
  it.each<[string, string, string[]]>([
    ["those of engines and servers", "allowed-tools: Read Bash(git:*) mcp__s__t WebFetch\n", []],
    ["those of the agent", "allowed-tools: t\n", []],
    [
      "others",
      "allowed-tools: t u v\n",
      ["X28 skills/s/SKILL.md#/allowed-tools:4", "X28 skills/s/SKILL.md#/allowed-tools:4"],
    ],
  ])("%s", async (_what, line, expected) => {
    expect(await told({ "skills/s/SKILL.md": skill("s", line), "tools/t.yaml": tool("t") })).toEqual(expected);
  });
});
