import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  EXAMPLES,
  NAMES,
  present,
  skipped,
} from "../../packages/identity-gitagentprotocol/src/fixtures/published-examples.ts";
import { command, computeragent, type Finished } from "./command.ts";
import { makeHome, ROOT } from "./host-process.ts";

const FIXTURES = join(ROOT, "packages/identity-gitagentprotocol/src/fixtures/repos");

let home: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function validate(args: readonly string[], cwd = home): Promise<Finished> {
  return await computeragent(["validate", ...args], { home, cwd, env: { TMPDIR: home } }).finished;
}

/** The golden results hold what `--json` prints for a folder, in both profiles. */
async function matchesGolden(folder: string, name: string): Promise<void> {
  for (const [profile, flags] of [["lenient", []] as const, ["strict", ["--strict"]] as const]) {
    const { code, stdout, stderr } = await validate([`./${name}`, "--json", ...flags], folder);
    const { valid } = JSON.parse(stdout) as { valid: boolean };
    expect([code, stderr]).toEqual([valid ? 0 : 1, ""]);
    await expect(stdout).toMatchFileSnapshot(`golden/validate/${name.replaceAll("/", ".")}.${profile}.json`);
  }
}

describe("validate --json", { timeout: 60_000 }, () => {
  it.each(["broken", "from-windows", "harness-dialect", "reviewer"])("of our own agent %s is as it was", (name) =>
    matchesGolden(FIXTURES, name),
  );

  it.skipIf(!present).each(NAMES)(`of the published example %s is as it was${skipped}`, (name) =>
    matchesGolden(EXAMPLES, name),
  );
});

describe("validate", { timeout: 60_000 }, () => {
  it("tells people every problem by file, and the verdict in the last line", async () => {
    const { code, stdout, stderr } = await validate(["./broken"], FIXTURES);
    expect([code, stderr]).toEqual([1, ""]);
    const lines = stdout.trimEnd().split("\n");
    for (const line of [
      "agent.yaml",
      "  error   /skills/2: there is no folder skills/absent (line 11, A3)",
      "SOUL.md",
      "  error   has headings but no text (S3)",
    ]) {
      expect(lines).toContain(line);
    }
    expect(lines.at(-1)).toMatch(/^Broken Agent 1 is invalid \(lenient\): \d+ errors, \d+ warnings$/);
  });

  it("does not let an agent's files steer the terminal", async () => {
    const dir = join(home, "escape");
    await mkdir(dir);
    await writeFile(
      join(dir, "agent.yaml"),
      'name: "a\\e[2J\\r\\nb"\nversion: 1.0.0\ndescription: x\n"\\e[31mkey": 1\n',
    );
    const { stdout } = await validate([dir]);
    expect(stdout).toContain("[31mkey");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("reads a commit of a repository, tells its id, and leaves nothing behind", async () => {
    const repository = join(home, "re#po");
    await mkdir(join(repository, "agents", "a"), { recursive: true });
    const git = async (...args: string[]): Promise<string> => {
      const options = ["-c", "user.name=A", "-c", "user.email=a@a.example", "-c", "commit.gpgsign=false"];
      const { code, stdout, stderr } = await command("git", [...options, "-C", repository, ...args], { home }).finished;
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
      return stdout.trim();
    };
    await git("init", "--quiet", "--initial-branch=main");
    await writeFile(join(repository, "agents/a/agent.yaml"), "name: a\nversion: 1.0.0\ndescription: A\n");
    await writeFile(join(repository, "agents/a/SOUL.md"), "You are a.\n");
    await git("add", ".");
    await git("commit", "--quiet", "-m", "valid");
    const sha = await git("rev-parse", "HEAD");
    await git("tag", "good");
    await git("rm", "--quiet", "agents/a/SOUL.md");
    await git("commit", "--quiet", "-m", "invalid");

    const before = await readdir(home);
    const url = pathToFileURL(repository).href;
    for (const args of [
      [`${url}#good:agents/a`],
      [url, "--ref", "good", "--subdir", "agents/a"],
      [repository, "--ref", sha, "--subdir", "agents/a"],
      [`${repository}#good:agents/a`],
      [join(repository, "agents"), "--ref", "good", "--subdir", "a"],
    ]) {
      const { code, stdout } = await validate([...args, "--json"]);
      expect([code, JSON.parse(stdout)]).toEqual([
        0,
        expect.objectContaining({ source: args[0], sha, valid: true, agent: { name: "a", version: "1.0.0" } }),
      ]);
    }
    const now = await validate([url, "--subdir", "agents/a"]);
    expect(now.code).toBe(1);
    expect(now.stdout).toContain("error   is missing (S1)");
    expect(now.stdout.trimEnd().split("\n").at(-1)).toMatch(
      /^a 1\.0\.0 at [0-9a-f]{12} is invalid \(lenient\): 1 error$/,
    );

    for (const args of [[""], [repository, "--ref", ""], [url, "--subdir", ""]]) {
      const unset = await validate(args);
      expect([unset.code, unset.stdout, unset.stderr.includes("empty")]).toEqual([2, "", true]);
    }
    const gone = await validate([url, "--ref", "no-such-ref", "--json"]);
    expect([gone.code, gone.stdout]).toEqual([3, ""]);
    expect(gone.stderr).toContain("[SOURCE_UNREACHABLE]");
    expect(await readdir(home)).toEqual(before);
  });

  it("tells what looks like a secret without showing it, and what has no effect in a session", async () => {
    const manifest = { name: "a", version: "1.0.0", description: "A", mcp_servers: { s: { command: "x" } } };
    const secret = `ghp_${"aB3".repeat(12)}`;
    const spelled = `inline:${JSON.stringify({ manifest, files: { "SOUL.md": `Hello\n${secret}\n` } })}`;
    const people = await validate([spelled]);
    expect([people.code, people.stdout.split("\n").filter((line) => !line.startsWith("inline"))]).toEqual([
      0,
      [
        "SOUL.md",
        expect.stringMatching(
          /^ {2}warning seems to hold a secret \(.+\): refer to a variable instead \(line 2, X27\)$/,
        ),
        "",
        "1 part of it would have no effect in a session: --json names them",
        "a 1.0.0 is valid (lenient): 1 warning",
        "",
      ],
    ]);
    const { notices, findings } = JSON.parse((await validate([spelled, "--json"])).stdout);
    expect(notices).toEqual([
      expect.objectContaining({ code: "gap.unsupported.mcp_servers", path: "agent.yaml#/mcp_servers" }),
    ]);
    expect(JSON.stringify(findings)).not.toContain("ghp_");
    expect((await validate([spelled, "--json"])).stdout).not.toContain("ghp_");
  });

  it("says what a .gitignore keeps from a load", async () => {
    const dir = join(home, "ignored");
    await mkdir(dir);
    await writeFile(join(dir, "agent.yaml"), "name: a\nversion: 1.0.0\ndescription: A\n");
    await writeFile(join(dir, "SOUL.md"), "You are a.\n");
    await writeFile(join(dir, ".gitignore"), "SOUL.md\n");
    const { code, stdout } = await validate([dir]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("a .gitignore names it (X30)")]);
  });

  it("takes inline agents, and a folder inside of a folder", async () => {
    const inline = await validate(["inline:You help."]);
    expect([inline.code, inline.stdout]).toEqual([0, "inline-agent 0.1.0 is valid (lenient): nothing to report\n"]);
    const manifest = { name: "a", version: "1.0.0", description: "A", mcp_servers: { s: { command: "x" } } };
    const json = await validate([`inline:${JSON.stringify({ manifest, files: {} })}`, "--json"]);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      1,
      expect.objectContaining({ findings: [expect.objectContaining({ rule: "S1", file: "SOUL.md" })], notices: [] }),
    ]);
    const inside = await validate([join(FIXTURES, ".."), "--subdir", "repos/from-windows"]);
    expect(inside.code).toBe(0);
  });

  it.each([
    [["./absent"], 2, "there is no folder"],
    [["absent"], 2, "not a git URL"],
    [[], 2, "missing required argument"],
    [["inline:x", "--ref", "main"], 2, "not for inline"],
    [['inline:{"files":{"SOUL.md":5}}'], 2, "files.SOUL.md"],
    [['inline:{"manifest":[]}'], 2, "manifest"],
    [['inline:{"files":{"../x":""}}'], 3, "PATH_ESCAPE"],
    [[".", "--subdir", "../x"], 2, "inside of"],
    [[".", "--subdir", "absent"], 3, "SOURCE_UNREACHABLE"],
    [["https://127.0.0.1:9/o/r.git"], 3, "SOURCE_UNREACHABLE"],
  ])("%j ends with %i and says why", async (args, code, text) => {
    const finished = await validate(args);
    expect([finished.code, finished.stdout]).toEqual([code, ""]);
    expect(finished.stderr).toContain(text);
    expect(finished.stderr).not.toContain("    at ");
  });

  it("is explained by a page that the help names", async () => {
    const { stdout } = await validate(["--help"]);
    expect(stdout).toContain("docs/gap-rules.md");
    expect(await readFile(join(ROOT, "docs", "gap-rules.md"), "utf8")).toContain("| A1 |");
  });
});
