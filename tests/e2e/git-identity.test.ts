import { execFileSync } from "node:child_process";
import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, jsonOf } from "@computeragent/testing";
import { describe, expect, it } from "vitest";
import { cleanEnv, startHost } from "./host-process.ts";

function git(dir: string, ...args: string[]): string {
  const settings = ["user.name=Test", "user.email=test@example.invalid", "init.defaultBranch=main"];
  const env = { ...cleanEnv(dir), GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  return execFileSync("git", [...settings.flatMap((one) => ["-c", one]), ...args], {
    cwd: dir,
    env,
    encoding: "utf8",
  }).trim();
}

describe("a git identity of the real host", { timeout: 120_000 }, () => {
  it("tells its commit in the session and its first event, and comes from the cache the next time", async () => {
    await using host = await startHost(["--mock"]);
    const repository = join(host.home, "agent");
    await mkdir(repository);
    await writeFile(join(repository, "agent.yaml"), 'name: pinned\nversion: 2.0.0\ndescription: "An agent"\n');
    await writeFile(join(repository, "SOUL.md"), "You are pinned.\n");
    git(repository, "init", "--quiet", "--template=");
    git(repository, "add", "--all");
    git(repository, "commit", "--quiet", "--message", "first");
    const sha = git(repository, "rev-parse", "HEAD");
    const gap = { name: "pinned", version: "2.0.0", sha };

    const start = async (url: string): Promise<void> => {
      const created = await host.client.call("createSession", {
        body: { engine: "mock", identity: { loader: "gitagentprotocol", source: { type: "git", url } } },
      });
      expect(created.identity).toEqual(gap);
      const stream = await host.events(created.sessionId);
      await host.say(created.sessionId, "hello");
      const named = () => stream.events().find(({ event }) => event === "ca_session_started");
      await eventually(20_000, "the session to start", async () => named() !== undefined);
      expect(jsonOf(named() as never)).toMatchObject({ gap });
    };

    await start(`file://${repository}#main`);
    const cached = await readdir(join(host.home, "cache/git"));
    expect(cached).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await rename(repository, `${repository}-gone`);
    await start(`file://${repository}#${sha}`);
    expect(await readdir(join(host.home, "cache/git"))).toEqual(cached);
  });
});
