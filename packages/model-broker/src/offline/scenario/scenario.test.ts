import type { JsonObject } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { ask, assistant, content, result, use, user } from "../anthropic/body.test-support.ts";
import { loadScenarios } from "./load.ts";

const REVIEW = `
name: review
description: Compares three files and writes down what does not agree.
match:
  user: review
steps:
  - say: I read the three files first.
    read: README.md
    capture:
      readmeVersion: 'version (\\d+\\.\\d+\\.\\d+)'
      readmePort: 'port (\\d+)'
      commands: { pattern: '^- run \`([^\`]+)\`', all: true }
  - read: package.json
    capture:
      packageVersion: '"version": "([^"]+)"'
  - read: config.yaml
    capture:
      port: '^port: (\\d+)$'
  - when: { any: ["{{readmeVersion}} != {{packageVersion}}", "{{readmePort}} != {{port}}"] }
    write:
      path: REVIEW.md
      text:
        - "# Review"
        - when: "{{readmeVersion}} != {{packageVersion}}"
          text: "- README.md says version {{readmeVersion}}, package.json says {{packageVersion | default: 'none'}}."
        - when: "{{readmePort}} != {{port}}"
          text: "- README.md says port {{readmePort}}, config.yaml says {{port}}."
        - "Commands: {{commands | count}}: {{commands | join: ', ' | upper}}."
  - when: ["{{readmeVersion}} == {{packageVersion}}", "{{readmePort}} == {{port}}"]
    say: "Everything agrees."
  - say: 'You asked "{{user | trim}}": the review is finished.'
`;

/** Plays the engine: answers each call from these files, as Claude Code numbers them. */
async function play(files: Record<string, string>, message = "Please REVIEW this.") {
  const scenarios = loadScenarios(REVIEW, "review.yaml");
  const messages: JsonObject[] = [user(message)];
  const written: Record<string, unknown> = {};
  for (let turn = 0; turn < 10; turn++) {
    const blocks = await content(messages, {}, scenarios);
    const call = blocks.find((block) => block.type === "tool_use");
    if (!call) return { written, last: blocks.at(-1)?.text, turns: turn };
    const input = call.input as Record<string, string>;
    const path = input.file_path ?? "";
    if (call.name === "Write") written[path] = input.content;
    const lines = (files[path] ?? "").split("\n").map((line, index) => `${index + 1}\t${line}`);
    messages.push(assistant(...blocks), user([result(String(call.id), lines.join("\n"))]));
    expect(call.id).toMatch(/^toolu_/);
  }
  throw new Error("The scenario does not end.");
}

const FILES = {
  "README.md": "Our tool, version 1.2.3\nIt listens on port 8080.\n- run `a`\n- run `b c`",
  "package.json": '{\n  "version": "1.3.0"\n}',
  "config.yaml": "name: x\nport: 9090",
};

describe("a scenario", () => {
  it("carries values from what it read into what it writes, and lists only what is really wrong", async () => {
    const { written, last } = await play(FILES);
    expect(written["REVIEW.md"]).toBe(
      "# Review\n- README.md says version 1.2.3, package.json says 1.3.0.\n- README.md says port 8080, config.yaml says 9090.\nCommands: 2: A, B C.",
    );
    expect(last).toBe('You asked "Please REVIEW this.": the review is finished.');
    const repaired = await play({ ...FILES, "config.yaml": "port: 8080" });
    expect(repaired.written["REVIEW.md"]).toBe(
      "# Review\n- README.md says version 1.2.3, package.json says 1.3.0.\nCommands: 2: A, B C.",
    );
    const missing = await play({ ...FILES, "package.json": "{}" });
    expect(missing.written["REVIEW.md"]).toContain("package.json says none.");
  });

  it("passes steps over whose comparison does not hold", async () => {
    const good = { ...FILES, "config.yaml": "port: 8080", "package.json": '{"version": "1.2.3"}' };
    const { written, last, turns } = await play(good);
    expect(written).toEqual({});
    expect(turns).toBe(3);
    expect(last).toMatch(/^Everything agrees\.\nYou asked/);
  });

  it("answers in its own name and only what it matches; directives come first", async () => {
    const scenarios = loadScenarios(REVIEW, "review.yaml");
    expect((await ask([user("a review")], {}, scenarios)).body.model).toBe("offline-review");
    expect((await ask([user("!say review")], {}, scenarios)).body).toMatchObject({
      model: "offline-directives",
      content: [{ text: "review" }],
    });
    expect((await ask([user("hello")], {}, scenarios)).body.model).toBe("offline-directives");
  });

  it("may ask for the system prompt and the tools, and the first match wins", async () => {
    const scenarios = loadScenarios(
      `- { name: one, match: { system: 'auditor', tool: '^Bash$' }, steps: [{ say: one }] }
- { name: two, match: { user: '.' }, steps: [{ think: hm }, { tool: { name: X, input: { a: ["{{user}}", 1, null, { b: true }] } } }] }`,
      "two.yaml",
    );
    expect(await content([user("x")], { system: "You are an AUDITOR." }, scenarios)).toMatchObject([{ text: "one" }]);
    expect(await content([user("x")], { system: "You are an auditor.", tools: [] }, scenarios)).toMatchObject([
      { type: "thinking" },
      { name: "X", input: { a: ["x", 1, null, { b: true }] } },
    ]);
    const next = [user("x"), assistant(use("t", "X")), user([result("t")])];
    expect(await content(next, {}, scenarios)).toMatchObject([
      { text: "Done: the offline script is finished, 1 step ran." },
    ]);
  });

  it("edits and runs commands with its values", async () => {
    const [scenario] = loadScenarios(
      `name: more
match: { user: . }
steps:
  - bash: git log -1
    capture: { hash: '[0-9a-f]{7}' }
  - edit: { path: '{{hash}}.md', old: a, new: '{{hash | upper}}' }`,
      "more.yaml",
    );
    const messages = [user("x"), assistant(use("t")), user([result("t", "commit abc1234 by me")])];
    expect(await content(messages, {}, scenario ? [scenario] : [])).toMatchObject([
      { name: "Edit", input: { file_path: "abc1234.md", old_string: "a", new_string: "ABC1234" } },
    ]);
  });
});

describe("loadScenarios", () => {
  const head = "name: x\nmatch: { user: . }\nsteps:\n";
  it.each([
    ["name: x\n  bad: [", /^f\.yaml:\d+: /],
    ["name: X\nmatch: { user: . }\nsteps: [{ say: a }]", /^f\.yaml:1: name: must be lower case words with dashes$/],
    ["name: directives\nmatch: { user: . }\nsteps: [{ say: a }]", /^f\.yaml:1: name: is taken/],
    ["name: x\nmatch: {}\nsteps: [{ say: a }]", /^f\.yaml:2: match: needs user, system or tool$/],
    ["name: x\nmatch: { user: '(' }\nsteps: [{ say: a }]", /^f\.yaml:2: match\.user: Invalid regular expression/],
    [`${head}  - say: a\n  - {}`, /^f\.yaml:5: steps\.1: needs say, think or one of bash, read/],
    [`${head}  - { read: a, bash: b }`, /^f\.yaml:4: steps\.0: takes one tool call, not bash and read$/],
    [`${head}  - say: a\n    capture: { v: a }`, /^f\.yaml:5: steps\.0\.capture: captures from a tool's result/],
    [`${head}  - say: a\n    colour: red`, /^f\.yaml:4: steps\.0: Unrecognized key: "colour"$/],
    [
      `${head}  - say: a\n  - say: '{{ghost}}'`,
      /^f\.yaml:5: steps\.1\.say: \{\{ghost\}\} is captured by no earlier step$/,
    ],
    [`${head}  - say: '{{user | shout}}'`, /^f\.yaml:4: steps\.0\.say: .*unknown filter "shout"; there are trim/],
    [`${head}  - say: '{{a b}}'`, /^f\.yaml:4: steps\.0\.say: \{\{a b\}\} must be a name/],
    [
      `${head}  - say: ['a', { when: 'always', text: b }]`,
      /^f\.yaml:4: steps\.0\.say\.1\.when: "always" compares no value/,
    ],
    [`${head}  - { when: '{{ghost}} == 1', say: a }`, /^f\.yaml:4: steps\.0\.when: \{\{ghost\}\} is captured/],
    ["[]", /^$/],
  ])("says where %j is wrong", (yaml, message) => {
    const load = () =>
      loadScenarios(yaml, "f.yaml")
        .map((scenario) => scenario.name)
        .join();
    if (message.source === "^$") expect(load()).toBe("");
    else expect(load).toThrow(message);
  });

  it("lists every problem of a list of scenarios", () => {
    const yaml = "- { name: a, match: { user: . }, steps: [{ say: a }] }\n- { name: B, match: { user: . }, steps: [] }";
    expect(() => loadScenarios(yaml, "f.yaml")).toThrow(/^f\.yaml:2: 1\.name: must be .*\nf\.yaml:2: 1\.steps: /);
  });
});
