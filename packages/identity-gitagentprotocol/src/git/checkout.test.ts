import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@computeragent/supervisor";
import { describe, expect, it } from "vitest";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { commitFiles, git, makeRepository } from "../fixtures/git-repository.ts";
import { serveGit } from "../fixtures/git-server.ts";
import { wireErrorOf } from "../fixtures/load.ts";
import { createGitCheckout } from "../index.ts";

const signal = new AbortController().signal;
const checkout = createGitCheckout({ run, localSources: "any" });

describe("createGitCheckout", { timeout: 120_000 }, () => {
  it("makes a work tree on the remote's default branch, from which one can go on", async () => {
    await using folders = await testFolders();
    const origin = join(folders.root, "origin");
    await makeRepository(origin, { "a.txt": "old" });
    const sha = await commitFiles(origin, { "a.txt": "a" });
    expect(await checkout({ url: origin, dir: folders.dir, signal })).toEqual({ sha });
    expect(await readFile(join(folders.dir, "a.txt"), "utf8")).toBe("a");
    expect(await git(folders.dir, "status", "--short", "--branch")).toBe("## main...origin/main");
    expect(await git(folders.dir, "rev-list", "--count", "HEAD")).toBe("1");
    expect(await git(folders.dir, "config", "remote.origin.url")).toBe(`file://${origin}`);
    const next = await commitFiles(folders.dir, { "b.txt": "b" });
    await git(folders.dir, "push", "--quiet", "origin", "HEAD:refs/heads/next");
    expect(await git(origin, "rev-parse", "next")).toBe(next);
  });

  it("takes all that follows /tree/ for the ref", async () => {
    await using folders = await testFolders();
    const origin = join(folders.root, "origin");
    await makeRepository(origin, { "a.txt": "a" });
    await git(origin, "checkout", "--quiet", "-b", "feature/next");
    const sha = await commitFiles(origin, { "b.txt": "b" });
    await using server = await serveGit(folders.root);
    const page = `http://127.0.0.1:${server.port}/origin/.git/tree/feature`;
    expect(await checkout({ url: `${page}/next`, dir: folders.dir, signal })).toEqual({ sha });
    expect(await git(folders.dir, "branch", "--show-current")).toBe("feature/next");
    await using fresh = await testFolders();
    const error = await wireErrorOf(checkout({ url: `${page}/other`, dir: fresh.dir, signal }));
    expect(error.message).toMatch(/no branch, tag or commit feature\/other$/);
  });

  it("takes branches, tags and commit ids", async () => {
    await using folders = await testFolders();
    const origin = join(folders.root, "origin");
    const first = await makeRepository(origin, { "a.txt": "a" });
    await git(origin, "tag", "v1");
    await git(origin, "checkout", "--quiet", "-b", "topic");
    const second = await commitFiles(origin, { "b.txt": "b" });
    for (const [ref, sha, branch] of [
      ["topic", second, "topic"],
      ["v1", first, ""],
      [first, first, ""],
    ] as const) {
      await using target = await testFolders();
      expect(await checkout({ url: origin, ref, dir: target.dir, signal })).toEqual({ sha });
      expect(await git(target.dir, "branch", "--show-current")).toBe(branch);
    }
  });

  it("leaves no password behind for the agent to find", async () => {
    await using folders = await testFolders();
    await makeRepository(join(folders.root, "srv/repo"), { "a.txt": "a" });
    await using server = await serveGit(join(folders.root, "srv"), "s3cret");
    await checkout({ url: `http://user:s3cret@127.0.0.1:${server.port}/repo/.git`, dir: folders.dir, signal });
    const found = Object.values(await readTree(folders.dir)).join("\n");
    expect(found).toContain(`http://127.0.0.1:${server.port}/repo/.git`);
    expect(found).not.toMatch(new RegExp(`s3cret|${Buffer.from("user:s3cret").toString("base64")}`));
  });

  it.each([
    [{ ref: "absent" }, {}, "SOURCE_UNREACHABLE"],
    [{ ref: "main:sub" }, {}, "SOURCE_UNREACHABLE"],
    [{ hash: "#main:sub" }, {}, "SOURCE_UNREACHABLE"],
    [{}, { localSources: [] }, "WORKSPACE_NOT_ALLOWED"],
    [{}, { limits: { maxFiles: 1 } }, "SOURCE_UNREACHABLE"],
  ])(
    "fails with %j and %j, and leaves the folder empty",
    async ({ ref, hash = "" }: { ref?: string; hash?: string }, options, code) => {
      await using folders = await testFolders();
      const origin = join(folders.root, "origin");
      await makeRepository(origin, { "a.txt": "a", "sub/b.txt": "b" });
      const limited = createGitCheckout({ run, localSources: "any", ...options });
      const request = { url: `${origin}${hash}`, dir: folders.dir, signal, ...(ref ? { ref } : {}) };
      expect((await wireErrorOf(limited(request))).code).toBe(code);
      expect(await readTree(folders.dir)).toEqual({});
    },
  );

  it("refuses a folder that holds something, and keeps it", async () => {
    await using folders = await testFolders();
    const origin = join(folders.root, "origin");
    await makeRepository(origin, { "a.txt": "a" });
    await writeFiles(folders.dir, { "mine.txt": "mine" });
    await expect(checkout({ url: origin, dir: folders.dir, signal })).rejects.toThrow(/not empty/);
    expect(await readTree(folders.dir)).toEqual({ "mine.txt": "mine" });
  });
});
