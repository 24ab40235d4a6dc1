import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@computeragent/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { computeragent } from "./command.ts";
import { makeHome, startHost } from "./host-process.ts";

let home: string;
let workspace: string;
beforeAll(async () => {
  home = await makeHome();
});
beforeEach(async () => {
  workspace = await mkdtemp(join(home, "work-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const AGENT = "inline:You do as you are told.";
const run = (message: string, flags: readonly string[] = [], pty = false) =>
  computeragent(["run", AGENT, "-m", message, "--workspace", workspace, ...flags], { home, pty });

describe("computeragent run", () => {
  it("prints the agent's text alone on stdout, and a line per tool call beside it", async () => {
    const { code, stdout, stderr } = await run("!write a.txt hi\n!bash cat a.txt\n!say all done", [
      "--permission",
      "auto",
    ]).finished;
    expect([code, stdout]).toEqual([0, "all done\n"]);
    expect(stderr).toContain("offline: ANTHROPIC_API_KEY is not set");
    expect(stderr).toMatch(/-> Write a\.txt/);
    expect(stderr).toContain("-> Bash cat a.txt");
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("hi");
  });

  it("denies what needs a person when there is no terminal, and says so with exit code 3", async () => {
    const { code, stdout, stderr } = await run("!write a.txt hi\n!say tried").finished;
    expect([code, stdout]).toEqual([3, "tried\n"]);
    expect(stderr).toContain("no terminal to ask on");
    expect(existsSync(join(workspace, "a.txt"))).toBe(false);
  });

  it("prints every event as a line of JSON with --json", async () => {
    const { code, stdout } = await run("!say hi", ["--json"]).finished;
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(events.map((e) => e.id)).toEqual(events.map((_, i) => i));
    expect(events.at(-1)).toMatchObject({ type: "ca_session_ended", data: { reason: "complete" } });
  });

  it("tells success, failure and limits apart by its exit code", async () => {
    const failed = await run("!error 401").finished;
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/error \(permanent\)/);
    const limited = await run("!bash echo 1\n!bash echo 2\n!bash echo 3\n!say end", [
      "--permission",
      "auto",
      "--max-turns",
      "1",
    ]).finished;
    expect(limited.code).toBe(3);
    const invalid = await computeragent(["run", 'inline:{"manifest":{"name":"Bad Name"}}', "-m", "hi"], { home })
      .finished;
    expect(invalid.code).toBe(3);
    expect(invalid.stderr).toContain("agent.yaml");
  });

  it("asks on a terminal: allow, deny with a reason, modify", async () => {
    const asked = run("!write a.txt one\n!write b.txt two\n!bash echo three > c.txt\n!say end", [], true);
    const answer = async (nth: number, text: string): Promise<void> => {
      await eventually(60_000, `question ${nth}`, () => asked.stdout().split("deny [d]?").length > nth);
      asked.child.stdin?.write(text);
    };
    await answer(1, "a\n");
    await answer(2, "d\nnot needed\n");
    await answer(3, 'm\n{"command": "echo four > c.txt", "description": "changed"}\n');
    const { code } = await asked.finished;
    expect(code).toBe(0);
    expect(await readFile(join(workspace, "a.txt"), "utf8")).toBe("one");
    expect(existsSync(join(workspace, "b.txt"))).toBe(false);
    expect(await readFile(join(workspace, "c.txt"), "utf8")).toBe("four\n");
  });

  it("interrupts at the first Ctrl-C and ends with 130", async () => {
    const running = run("!bash touch began; sleep 60\n!say never", ["--permission", "auto"]);
    await eventually(60_000, "the command to begin", () => existsSync(join(workspace, "began")));
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.finished;
    expect([code, stdout]).toEqual([130, ""]);
    expect(stderr).toContain("interrupting");
  });

  it("leaves nothing of its private host behind", async () => {
    expect((await run("!say hi").finished).code).toBe(0);
    expect(await readdir(join(home, "hosts"))).toEqual([]);
  });

  it.each([
    ["SIGINT", [0, 150, 900]],
    ["SIGTERM", [0, 900]],
    ["SIGHUP", [0]],
  ] as const)(
    "leaves nothing behind either when %s comes before the session stands, or at any time after",
    async (signal, delays) => {
      for (const later of delays) {
        const running = run("!sleep 60000");
        await eventually(60_000, "the folders of the host", async () => {
          return (await readdir(join(home, "hosts")).catch(() => [])).length > 0;
        });
        await sleep(later);
        running.child.kill(signal);
        const { code, stdout } = await running.finished;
        expect([code, stdout], `${signal} after ${later} ms`).toEqual([130, ""]);
        expect(await readdir(join(home, "hosts")), `${signal} after ${later} ms`).toEqual([]);
      }
    },
  );

  it("drives a running host, with this machine's token or a given one", async () => {
    await using host = await startHost();
    const folder = join(host.home, "shared");
    await mkdir(folder);
    const args = [
      "run",
      AGENT,
      "-m",
      "!write x.txt remote\n!say done",
      "--host",
      host.url,
      "--workspace",
      folder,
      "--permission",
      "auto",
    ];
    const own = await computeragent(args, { home: host.home }).finished;
    expect([own.code, own.stdout]).toEqual([0, "done\n"]);
    expect(await readFile(join(folder, "x.txt"), "utf8")).toBe("remote");
    const wrong = await computeragent([...args, "--token", "wrong-wrong-wrong-wrong"], { home: host.home }).finished;
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain("UNAUTHORIZED");
    const outside = await computeragent([...args, "--workspace", "/etc"], { home: host.home }).finished;
    expect([outside.code, outside.stderr.includes("WORKSPACE_NOT_ALLOWED")]).toEqual([3, true]);
  });
});
