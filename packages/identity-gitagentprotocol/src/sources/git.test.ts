import { randomBytes } from "node:crypto";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, type TestFolders, testFolders, writeFiles } from "../fixtures/folders.ts";
import { commitFiles, git, makeRepository } from "../fixtures/git-repository.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";

interface Origin extends TestFolders {
  readonly origin: string;
  readonly url: string;
}

async function withOrigin(files: Readonly<Record<string, string>> = TINY): Promise<Origin> {
  const folders = await testFolders();
  const origin = join(folders.root, "origin");
  await makeRepository(origin, files);
  return { ...folders, origin, url: `file://${origin}` };
}

describe("a git source", { timeout: 120_000 }, () => {
  it("is the default branch without .git, with the commit's id, modes and inner links", async () => {
    await using test = await withOrigin();
    await writeFiles(test.origin, { "bin/run": "#!/bin/sh\n" });
    await chmod(join(test.origin, "bin/run"), 0o755);
    await symlink("../SOUL.md", join(test.origin, "bin/inside"));
    await symlink("/etc/passwd", join(test.origin, "bin/outside"));
    const sha = await commitFiles(test.origin, { ".gitignore": "SOUL.md\n", "node_modules/kept.js": "committed" });
    const result = await loadInto(test, { type: "git", url: test.url });
    expect(result.info).toEqual({ name: "tiny", version: "1.0.0", sha });
    expect(Object.keys(await readTree(test.dir))).toEqual([
      ".gitignore",
      "SOUL.md",
      "agent.yaml",
      "bin",
      "bin/inside",
      "bin/run",
      "node_modules",
      "node_modules/kept.js",
    ]);
    expect(noticeCodes(result)).toEqual(["gap.source.link"]);
    expect(await readTree(test.generatedDir)).toEqual({});
  });

  it("can be a branch, a tag, a commit id, a short one, a full ref name, or a path", async () => {
    await using test = await withOrigin();
    const first = await git(test.origin, "rev-parse", "HEAD");
    await git(test.origin, "tag", "-a", "v1.0.0", "-m", "first");
    await git(test.origin, "checkout", "--quiet", "-b", "feature/next");
    const second = await commitFiles(test.origin, { "next.txt": "next" });
    await git(test.origin, "checkout", "--quiet", "--detach", first);
    const orphan = await commitFiles(test.origin, { "orphan.txt": "on no branch" });
    await git(test.origin, "update-ref", "refs/changes/7", orphan);
    await git(test.origin, "checkout", "--quiet", "main");
    const shaOf = async (source: { url?: string; ref?: string }): Promise<string | null> => {
      await using folders = await testFolders();
      return (await loadInto(folders, { type: "git", url: test.url, ...source })).info.sha;
    };
    expect(await shaOf({})).toBe(first);
    expect(await shaOf({ ref: "feature/next" })).toBe(second);
    expect(await shaOf({ url: `${test.url}#feature/next` })).toBe(second);
    expect(await shaOf({ ref: "v1.0.0" })).toBe(first);
    expect(await shaOf({ ref: second })).toBe(second);
    expect(await shaOf({ ref: second.toUpperCase() })).toBe(second);
    expect(await shaOf({ ref: second.slice(0, 8) })).toBe(second);
    expect(await shaOf({ ref: second.slice(0, 12).toUpperCase() })).toBe(second);
    expect(await shaOf({ ref: "refs/changes/7" })).toBe(orphan);
    expect(await shaOf({ url: test.origin })).toBe(first);
  });

  it("can be a folder of the repository, of which nothing else is fetched", async () => {
    await using test = await withOrigin({
      "agents/one [x]/agent.yaml": TINY["agent.yaml"],
      "agents/one [x]/SOUL.md": TINY["SOUL.md"],
      "agents/two/secret.txt": "other",
      "big.bin": randomBytes(1_500_000).toString("hex"),
    });
    await symlink("../two/secret.txt", join(test.origin, "agents/one [x]/beside"));
    const sha = await commitFiles(test.origin, {});
    const limits = { maxBytes: 1_000_000 };
    const result = await loadInto(test, { type: "git", url: test.url, subdir: "agents/one [x]" }, { limits });
    expect(result.info.sha).toBe(sha);
    expect(Object.keys(await readTree(test.dir))).toEqual(["SOUL.md", "agent.yaml"]);
    expect(noticeCodes(result)).toEqual(["gap.source.link"]);
  });

  it("works when the server does not know filters", async () => {
    await using test = await withOrigin({ "a/agent.yaml": TINY["agent.yaml"], "a/SOUL.md": TINY["SOUL.md"], b: "b" });
    await git(test.origin, "config", "uploadpack.allowFilter", "false");
    await loadInto(test, { type: "git", url: `${test.url}#main:a` });
    expect(Object.keys(await readTree(test.dir))).toEqual(["SOUL.md", "agent.yaml"]);
  });

  it("can be loaded many times at once", async () => {
    await using test = await withOrigin();
    const loads = Array.from({ length: 6 }, async () => {
      await using folders = await testFolders();
      const result = await loadInto(folders, { type: "git", url: test.url });
      return [result.info.sha, Object.keys(await readTree(folders.dir)).length];
    });
    expect(new Set((await Promise.all(loads)).map(String)).size).toBe(1);
  });
});

describe("a git source that cannot be had", { timeout: 120_000 }, () => {
  const failure = async (test: Origin, source: { url?: string; ref?: string; subdir?: string }, options = {}) => {
    const error = await wireErrorOf(loadInto(test, { type: "git", url: test.url, ...source }, options));
    expect(error.message).not.toContain(join(test.root, "session"));
    expect(await readTree(join(test.root, "session"))).toEqual({ generated: "<folder>", identity: "<folder>" });
    return error;
  };

  it.each([
    [{ ref: "absent" }, /no branch, tag or commit absent/],
    [{ ref: "0123456789abcdef0123456789abcdef01234567" }, /no branch, tag or commit 0123/],
    [{ ref: "abcdef0" }, /no branch, tag or commit abcdef0/],
    [{ subdir: "absent" }, /no folder absent/],
    [{ subdir: "SOUL.md" }, /SOUL.md is not a folder/],
    [{ url: "file:///nowhere/at/all" }, /There is no folder \/nowhere/],
    [{ url: "http://127.0.0.1:9/a/b" }, /Cannot fetch http:\/\/127.0.0.1:9\/a\/b: the connection failed/],
    [{ url: "https://host.invalid/a/b" }, /the host is not known/],
  ])("such as %j says why", async (source, message) => {
    await using test = await withOrigin();
    const error = await failure(test, source);
    expect(error.code).toBe("SOURCE_UNREACHABLE");
    expect(error.message).toMatch(message);
  });

  it("because it is no repository, is empty, or holds no agent", async () => {
    await using test = await withOrigin({ "README.md": "nothing here" });
    expect((await failure(test, {})).errors?.map((error) => error.file)).toEqual(["agent.yaml", "SOUL.md"]);
    await writeFiles(test.root, { "plain/file": "" });
    expect((await failure(test, { url: join(test.root, "plain") })).message).toMatch(/no such repository/);
    await git(test.root, "init", "--quiet", "--template=", "empty");
    expect((await failure(test, { url: join(test.root, "empty") })).message).toMatch(/has no commits$/);
    await git(test.origin, "symbolic-ref", "HEAD", "refs/heads/absent");
    expect((await failure(test, {})).message).toMatch(/has no commit at its default branch: name a branch, tag/);
  });

  it("because the operator does not allow paths of this machine", async () => {
    await using test = await withOrigin();
    expect((await failure(test, {}, { localSources: ["/nowhere"] })).code).toBe("WORKSPACE_NOT_ALLOWED");
    expect((await failure(test, { url: test.origin }, { localSources: [] })).code).toBe("WORKSPACE_NOT_ALLOWED");
  });

  it("because it is too large: many files, a large one, a download without end", async () => {
    await using test = await withOrigin();
    await commitFiles(test.origin, { zeros: "0".repeat(5_000_000), noise: randomBytes(1_000_000).toString("hex") });
    expect((await failure(test, {}, { limits: { maxFiles: 3 } })).message).toMatch(/more than 3 files/);
    expect((await failure(test, {}, { limits: { maxBytes: 4_000_000 } })).message).toMatch(/larger than 4000000 bytes/);
    expect((await failure(test, {}, { limits: { maxBytes: 10_000 } })).message).toMatch(/larger than 10000 bytes/);
  });

  it("because it took too long, or because nobody wants it any more", async () => {
    await using test = await withOrigin();
    expect((await failure(test, {}, { limits: { timeoutMs: 1 } })).message).toMatch(/took too long/);
    const controller = new AbortController();
    const loading = loadInto(test, { type: "git", url: test.url }, { signal: controller.signal });
    controller.abort(new Error("gone"));
    await expect(loading).rejects.toThrow("gone");
    expect(await readTree(test.generatedDir)).toEqual({});
  });
});
