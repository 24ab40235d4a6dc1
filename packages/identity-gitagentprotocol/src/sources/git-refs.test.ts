import { readFile, realpath } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeExecutable, readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { commitFiles, git, makeRepository } from "../fixtures/git-repository.ts";
import { serveGit } from "../fixtures/git-server.ts";
import { loadInto, TINY, wireErrorOf } from "../fixtures/load.ts";
import { testOrigin } from "../fixtures/origin.ts";
import type { GapLoaderOptions } from "../index.ts";

/** An agent in a folder, which says in its soul where it is from. */
const agentIn = (folder: string, soul: string) => ({
  [`${folder}/agent.yaml`]: TINY["agent.yaml"],
  [`${folder}/SOUL.md`]: soul,
});

async function load(source: { url: string; ref?: string; subdir?: string }, options: Partial<GapLoaderOptions> = {}) {
  await using folders = await testFolders();
  const result = await loadInto(folders, { type: "git", ...source }, options);
  return { sha: result.info.sha, soul: (await readTree(folders.dir))["SOUL.md"] };
}

describe("a page below /tree/", { timeout: 120_000 }, () => {
  it("has the ref that exists, slashes and all, and the rest is the folder", async () => {
    await using test = await testOrigin({ ...TINY, ...agentIn("x", "main x"), ...agentIn("next/x", "main next/x") });
    await git(test.origin, "checkout", "--quiet", "-b", "feature/next");
    const next = await commitFiles(test.origin, agentIn("x", "feature x"));
    await git(test.origin, "tag", "-a", "release/v1", "-m", "first");
    await git(test.origin, "checkout", "--quiet", "main");
    await using server = await serveGit(test.root);
    const page = (path: string) => `http://127.0.0.1:${server.port}/origin/.git/-/tree/${path}`;
    expect(await load({ url: page("feature/next/x") })).toEqual({ sha: next, soul: "feature x" });
    expect(await load({ url: page("feature/next") })).toEqual({ sha: next, soul: TINY["SOUL.md"] });
    expect(await load({ url: page("release/v1/x") })).toEqual({ sha: next, soul: "feature x" });
    expect(await load({ url: page("feature/next/x"), ref: "feature/next" })).toEqual({ sha: next, soul: "feature x" });
    expect(await load({ url: page("feature/next"), subdir: "x" })).toEqual({ sha: next, soul: "feature x" });
    expect(await load({ url: page("main/next/x") })).toEqual({ sha: test.sha, soul: "main next/x" });
    expect(await load({ url: page(`${next}/x`) })).toEqual({ sha: next, soul: "feature x" });
    expect(await load({ url: page(`${next.slice(0, 9)}/x`) })).toEqual({ sha: next, soul: "feature x" });
    const error = await wireErrorOf(load({ url: page("feature/none/x") }));
    expect(error.message).toMatch(/no branch, tag or commit feature\/none\/x$/);
  });
});

describe("refs of git", { timeout: 120_000 }, () => {
  it("can be the default branch of any name, HEAD, an annotated tag of a tag, and a branch over a tag", async () => {
    await using test = await testOrigin();
    await git(test.origin, "branch", "--move", "main", "trunk");
    await git(test.origin, "tag", "-a", "v1", "-m", "one");
    await git(test.origin, "tag", "-a", "v1-again", "-m", "two", "v1");
    await git(test.origin, "tag", "both");
    await git(test.origin, "checkout", "--quiet", "-b", "both");
    const second = await commitFiles(test.origin, { "second.txt": "" });
    await git(test.origin, "checkout", "--quiet", "trunk");
    await using server = await serveGit(test.root);
    const url = `http://127.0.0.1:${server.port}/origin/.git`;
    for (const ref of [undefined, "HEAD", "trunk", "v1", "v1-again"]) {
      expect(await load({ url, ...(ref ? { ref } : {}) }, { cacheDir: test.cacheDir })).toMatchObject({
        sha: test.sha,
      });
    }
    expect((await load({ url, ref: "both" })).sha).toBe(second);
    expect((await load({ url: `${url}@v1` })).sha).toBe(test.sha);
    expect((await wireErrorOf(load({ url, ref: "main" }))).message).toMatch(/no branch, tag or commit main$/);
    const blob = await git(test.origin, "rev-parse", "HEAD:SOUL.md");
    await git(test.origin, "tag", "text", blob);
    expect((await wireErrorOf(load({ url, ref: "text" }))).message).toMatch(
      /, text names something else than a commit$/,
    );
  });

  it("can have SHA-256 ids", async () => {
    await using test = await testOrigin();
    const origin = join(test.root, "wide");
    const sha = await makeRepository(origin, { ...TINY, ...agentIn("sub", "wide") }, "sha256");
    await git(origin, "tag", "-a", "v1", "-m", "one");
    expect(sha).toMatch(/^[0-9a-f]{64}$/);
    for (const ref of [undefined, "main", "v1", sha, sha.slice(0, 12)]) {
      expect((await load({ url: origin, ...(ref ? { ref } : {}) })).sha).toBe(sha);
    }
    const options = { cacheDir: test.cacheDir };
    expect(await load({ url: origin, subdir: "sub" }, options)).toEqual({ sha, soul: "wide" });
    expect(await load({ url: origin, subdir: "sub", ref: sha }, options)).toEqual({ sha, soul: "wide" });
    const error = await wireErrorOf(load({ url: origin, ref: test.sha }));
    expect(error.message).toMatch(/object ids are of the other kind/);
  });
});

describe("git over ssh", { timeout: 120_000 }, () => {
  it("runs the ssh of the PATH, which asks nobody anything", async () => {
    await using test = await testOrigin({ ...TINY, ...agentIn("sub", "over ssh") });
    await git(test.origin, "tag", "v1");
    const log = join(test.root, "log");
    const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> ${log}\nfor last; do :; done\nexec sh -c "$last"\n`;
    await writeFiles(test.root, { "bin/ssh": script });
    await makeExecutable(join(test.root, "bin/ssh"));
    const options = { env: { PATH: `${join(test.root, "bin")}${delimiter}${process.env.PATH}` } };
    const path = await realpath(test.origin);
    const spellings = [`ssh://git@host.example:2222${path}`, `git@host.example:${path}`, `host.example:${path}`];
    for (const url of spellings) expect((await load({ url }, options)).sha).toBe(test.sha);
    expect(await load({ url: `git@host.example:${path}@v1` }, options)).toMatchObject({ sha: test.sha });
    expect(await load({ url: `git@host.example:${path}#main:sub` }, options)).toMatchObject({ soul: "over ssh" });
    const asked = (await readFile(log, "utf8")).split("\n");
    expect(asked).toEqual(
      expect.arrayContaining(["BatchMode=yes", "StrictHostKeyChecking=yes", "2222", "git@host.example"]),
    );

    // The operator's key opens the repository: each load asks, even for a commit that is cached.
    const cached = { ...options, cacheDir: test.cacheDir };
    const pinned = { url: `git@host.example:${path}`, ref: test.sha };
    await load(pinned, cached);
    expect((await load(pinned, cached)).sha).toBe(test.sha);
    await writeFiles(test.root, {
      "bin/ssh": "#!/bin/sh\necho 'git@host: Permission denied (publickey).' >&2\nexit 255\n",
    });
    expect((await wireErrorOf(load(pinned, cached))).message).toMatch(/access is denied/);
  });
});
