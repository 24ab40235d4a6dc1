import { readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { eventually } from "@computeragent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { command, computeragent } from "./command.ts";
import { makeHome, ROOT, startHost } from "./host-process.ts";

let home: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe("the command line", () => {
  it.each([
    [["--frobnicate"], "unknown option"],
    [["frobnicate"], "unknown command"],
    [["run", "-m", "hi"], "missing required argument"],
    [["run", "inline:x"], "required option"],
    [["run", "inline:x", "-m", "hi", "--max-turns", "1.5"], "whole number"],
    [["run", "inline:x", "-m", "hi", "--permission", "maybe"], "Allowed choices"],
    [["run", "./no/such/folder", "-m", "hi"], "there is no folder"],
    [["run", "nosuchfolder", "-m", "hi"], "not a git URL"],
    [["serve", "--port", "99999"], "0 to 65535"],
    [["serve", "--no-auth", "--host", "0.0.0.0", "--port", "0"], "loopback only"],
    [["health", "--host", "ftp://x"], "URL such as"],
  ])("%j is a usage error that says what is wrong", async (args, text) => {
    const { code, stderr, stdout } = await computeragent(args, { home }).finished;
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(text);
  });

  it("says in one line that a containment is not to be had here", async () => {
    const bare = await makeHome();
    const flags = ["serve", "--port", "0", "--containment", "pid-namespace"];
    const { code, stderr, stdout } = await computeragent(flags, { home: bare, env: { PATH: bare } }).finished;
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^.*containment pid-namespace is not available here .*\n$/);
    expect(await readdir(join(bare, "hosts")).catch(() => [])).toEqual([]);
    await rm(bare, { recursive: true, force: true });
  });

  it("shows help and version", async () => {
    const help = await computeragent(["--help"], { home }).finished;
    expect([help.code, help.stderr]).toEqual([0, ""]);
    for (const name of ["run", "serve", "health", "token", "model", "demo"]) expect(help.stdout).toContain(name);
    expect((await computeragent(["--version"], { home }).finished).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("prints one token, kept for its owner alone", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => computeragent(["token"], { home }).finished));
    expect(first?.stdout).toMatch(/^[\w-]{43}\n$/);
    expect(second?.stdout).toBe(first?.stdout);
    expect((await stat(join(home, "host-token"))).mode & 0o777).toBe(0o600);
  });

  it("tells a host's health, or that there is none", async () => {
    await using host = await startHost(["--mock"]);
    const known = await computeragent(["health", "--host", host.url], { home: host.home }).finished;
    expect([known.code, known.stderr]).toEqual([0, ""]);
    expect(known.stdout).toContain("engine claude-agent-sdk");
    expect(known.stdout).toContain("engine mock");
    const stranger = await computeragent(["health", "--host", host.url], { home }).finished;
    expect(stranger.stdout).toContain("no details");
    await host.end("SIGTERM");
    const gone = await computeragent(["health", "--host", host.url], { home }).finished;
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain("computeragent serve");
  });

  it("says which flag to use when the port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = String((other.address() as AddressInfo).port);
    for (const name of ["serve", "demo"]) {
      const { code, stderr } = await computeragent([name, "--port", port], { home }).finished;
      expect([name, code]).toEqual([name, 1]);
      expect(stderr).toContain(`port ${port} is in use`);
      expect(stderr).toContain("--port");
    }
    other.close();
  });

  it("serves the offline model alone", async () => {
    const serving = computeragent(["model", "serve", "--port", "0"], { home });
    await eventually(30_000, "the model to listen", () => serving.stdout().includes("http://"));
    const url = /http:\/\/\S+/.exec(serving.stdout())?.[0] ?? "";
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": "any", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({ model: "m", max_tokens: 100, messages: [{ role: "user", content: "!say it works" }] }),
    });
    expect(await response.json()).toMatchObject({
      model: "offline-directives",
      content: [{ type: "text", text: "it works" }],
    });
    serving.child.kill("SIGTERM");
    expect((await serving.finished).code).toBe(0);
  });
});

describe("the demo", () => {
  it("reviews the sample project with values that it read, and ends with the run's exit code", async () => {
    const { code, stdout } = await command(join(ROOT, "bin", "computeragent"), ["demo", "--once", "--port", "0"], {
      home,
      cwd: home,
    }).finished;
    expect(code).toBe(0);
    expect(stdout).toContain("Model: OFFLINE");
    for (const finding of [
      "README.md says 8080, config/service.json says 9090",
      "README.md says 3, config/service.json says 5",
    ]) {
      expect(stdout).toContain(finding);
    }
    const dir = /Files: (\S+)/.exec(stdout)?.[1] ?? "";
    const review = await readFile(join(dir, "REVIEW.md"), "utf8");
    expect(review).toContain("README.md says MIT, package.json says Apache-2.0");
    expect(review).not.toContain("Cache:");
  });

  it("says what failed, and how to go on without an account", async () => {
    const { code, stdout } = await computeragent(["demo", "--once", "--port", "0"], {
      home,
      env: { ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: "http://127.0.0.1:9", CLAUDE_CODE_MAX_RETRIES: "1" },
    }).finished;
    expect(code).toBe(1);
    for (const text of [
      "with your ANTHROPIC_API_KEY",
      "trying again, 1 of 1",
      "The agent failed",
      "unset ANTHROPIC_",
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout.match(/API Error/g)).toHaveLength(1);
  });

  it("goes on serving until it is stopped", async () => {
    const demo = computeragent(["demo", "--port", "0"], { home });
    await eventually(60_000, "the demo to be done", () => demo.stdout().includes("Ctrl-C stops it"));
    const url = /on (http:\/\/\S+)/.exec(demo.stdout())?.[1] ?? "";
    expect((await fetch(`${url}/v1/health`)).status).toBe(200);
    demo.child.kill("SIGTERM");
    expect((await demo.finished).code).toBe(0);
    await expect(fetch(`${url}/v1/health`)).rejects.toThrow();
  });
});
