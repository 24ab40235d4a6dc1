import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, testFolders } from "../fixtures/folders.ts";
import { commitFiles, git } from "../fixtures/git-repository.ts";
import { serveGit } from "../fixtures/git-server.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";
import { type Origin, testOrigin } from "../fixtures/origin.ts";
import type { CacheLimits } from "../index.ts";

/** Loads into folders of its own; gives the result and the files. */
async function load(
  test: Origin,
  source: { url?: string; ref?: string; subdir?: string } = {},
  options: { cacheLimits?: Partial<CacheLimits>; cacheDir?: string } = {},
) {
  await using folders = await testFolders();
  const from = { type: "git", url: test.url, ...source } as const;
  const result = await loadInto(folders, from, { cacheDir: test.cacheDir, ...options });
  expect(await readTree(folders.generatedDir)).toEqual({});
  return { result, sha: result.info.sha, files: await readTree(folders.dir), codes: noticeCodes(result) };
}

const gone = (test: Origin): Promise<void> => rename(test.origin, `${test.origin}-gone`);

describe("the cache of git sources", { timeout: 120_000 }, () => {
  it("keeps a commit for when its repository is gone; a branch then is an error", async () => {
    await using test = await testOrigin();
    await mkdir(join(test.origin, "bin"));
    await symlink("../SOUL.md", join(test.origin, "bin/inside"));
    await symlink("/etc/passwd", join(test.origin, "bin/outside"));
    await writeFile(join(test.origin, "bin/run"), "#!/bin/sh\n", { mode: 0o755 });
    const sha = await commitFiles(test.origin, {});
    const first = await load(test);
    await gone(test);
    const second = await load(test, { ref: sha });
    expect(second).toEqual(first);
    expect(second.codes).toEqual(["gap.source.link"]);
    const error = await wireErrorOf(load(test, { ref: "main" }));
    expect(error.message).toBe(`There is no folder ${test.origin}`);
    expect((await wireErrorOf(load(test, { ref: "f".repeat(40) }))).message).toBe(`There is no folder ${test.origin}`);
  });

  it("asks the remote what branches and tags are now", async () => {
    await using test = await testOrigin();
    await git(test.origin, "tag", "v1");
    expect((await load(test, { ref: "main" })).sha).toBe(test.sha);
    const next = await commitFiles(test.origin, { "next.txt": "next" });
    expect((await load(test, { ref: "main" })).sha).toBe(next);
    expect((await load(test)).files).toMatchObject({ "next.txt": "next" });
    expect((await load(test, { ref: "v1" })).sha).toBe(test.sha);
    await git(test.origin, "tag", "-f", "v1", next);
    expect((await load(test, { ref: "v1" })).sha).toBe(next);
    expect((await readdir(test.cacheDir)).length).toBe(2);
  });

  it("fetches nothing for a branch that it has, and never for another folder of the commit", async () => {
    await using test = await testOrigin({ ...TINY, "sub/agent.yaml": TINY["agent.yaml"], "sub/SOUL.md": "other" });
    await load(test, { ref: "main" });
    await rm(join(test.origin, ".git/objects"), { recursive: true });
    await mkdir(join(test.origin, ".git/objects"));
    await writeFile(join(test.origin, ".git/packed-refs"), `${test.sha} refs/heads/main\n`);
    expect((await load(test, { ref: test.sha })).files).toMatchObject(TINY);
    await wireErrorOf(load(test, { ref: test.sha, subdir: "sub" }));
  });

  it("is private, and nothing in it is linked to anything", async () => {
    await using test = await testOrigin();
    await load(test);
    const [entry = ""] = await readdir(test.cacheDir);
    const file = join(test.cacheDir, entry, "files/SOUL.md");
    expect((await stat(test.cacheDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(test.cacheDir, entry))).mode & 0o777).toBe(0o700);
    expect((await stat(file)).nlink).toBe(1);
    await chmod(test.cacheDir, 0o755);
    await load(test);
    await commitFiles(test.origin, {});
    await load(test);
    expect((await stat(test.cacheDir)).mode & 0o777).toBe(0o700);
  });

  it.each<[string, (entry: string) => Promise<void>]>([
    ["changed", (entry) => writeFile(join(entry, "files/SOUL.md"), "# Soul\n\nYou are evil.\n")],
    ["shorter", (entry) => truncate(join(entry, "files/SOUL.md"), 3)],
    ["missing", (entry) => rm(join(entry, "files/SOUL.md"))],
    ["new", (entry) => writeFile(join(entry, "files/AGENTS.md"), "more")],
    ["executable", (entry) => chmod(join(entry, "files/SOUL.md"), 0o755)],
    ["missing its description", (entry) => rm(join(entry, "entry.json"))],
    ["described by half a text", (entry) => truncate(join(entry, "entry.json"), 10)],
    ["empty", (entry) => rm(join(entry, "files"), { recursive: true })],
  ])("makes an entry anew in which a file is %s", async (_, damage) => {
    await using test = await testOrigin();
    const first = await load(test);
    const [entry = ""] = await readdir(test.cacheDir);
    const described = await readFile(join(test.cacheDir, entry, "entry.json"), "utf8");
    await damage(join(test.cacheDir, entry));
    expect(await load(test, { ref: test.sha })).toEqual(first);
    expect(await readdir(test.cacheDir)).toEqual([entry]);
    expect(await readFile(join(test.cacheDir, entry, "entry.json"), "utf8")).toBe(described);
  });

  it("is bounded: what was unused for longest goes first, and what is too large never comes", async () => {
    await using test = await testOrigin();
    const shas = [test.sha, await commitFiles(test.origin, { a: "a" }), await commitFiles(test.origin, { b: "b" })];
    const cacheLimits = { maxEntries: 2 };
    for (const ref of shas.slice(0, 2)) await load(test, { ref }, { cacheLimits });
    for (const name of await readdir(test.cacheDir)) await utimes(join(test.cacheDir, name), 1, 1);
    await load(test, { ref: shas[0] ?? "" }, { cacheLimits });
    await load(test, { ref: shas[2] ?? "" }, { cacheLimits });
    expect((await readdir(test.cacheDir)).length).toBe(2);
    await load(
      test,
      { ref: await commitFiles(test.origin, { big: "x".repeat(2_000) }) },
      { cacheLimits: { maxBytes: 1_000 } },
    );
    expect((await readdir(test.cacheDir)).length).toBe(2);
    await gone(test);
    expect((await load(test, { ref: shas[0] ?? "" })).sha).toBe(shas[0]);
    expect((await load(test, { ref: shas[2] ?? "" })).sha).toBe(shas[2]);
    await wireErrorOf(load(test, { ref: shas[1] ?? "" }));
  });

  it.each(["/dev/full/cache", "/proc/cache"])("that cannot be written, as %s, is done without", async (cacheDir) => {
    await using test = await testOrigin();
    expect(await load(test, {}, { cacheDir })).toMatchObject({ sha: test.sha, codes: ["gap.source.cache"] });
  });

  it("tells nothing to whom the server does not let in", async () => {
    await using test = await testOrigin();
    let server = await serveGit(test.root, "s3cret");
    const urlFor = (user: string) => `http://${user}127.0.0.1:${server.port}/origin/.git`;
    const allowed = urlFor("user:s3cret@");
    await load(test, { url: allowed, ref: test.sha });
    const asked = server.authorizations.length;
    expect((await load(test, { url: allowed, ref: test.sha })).sha).toBe(test.sha);
    expect(server.authorizations.length).toBeGreaterThan(asked);
    expect((await wireErrorOf(load(test, { url: urlFor(""), ref: test.sha }))).message).toMatch(/access is denied/);
    expect((await wireErrorOf(load(test, { url: urlFor("user:x@"), ref: test.sha }))).message).toMatch(
      /access is denied/,
    );
    expect((await readdir(test.cacheDir)).length).toBe(1);
    await server[Symbol.asyncDispose]();
    expect((await wireErrorOf(load(test, { url: allowed, ref: test.sha }))).message).toMatch(/the connection failed/);
    server = await serveGit(test.root);
    await using _last = server;
    await load(test, { url: urlFor(""), ref: test.sha });
    await gone(test);
    expect((await load(test, { url: urlFor(""), ref: test.sha })).sha).toBe(test.sha);
  });

  it("is no way around the operator's permission", async () => {
    await using test = await testOrigin();
    await load(test);
    await using folders = await testFolders();
    const source = { type: "git", url: test.url, ref: test.sha } as const;
    for (const step of ["there", "gone"]) {
      if (step === "gone") await gone(test);
      const options = { cacheDir: test.cacheDir, localSources: [folders.root] };
      expect((await wireErrorOf(loadInto(folders, source, options))).code).toBe("WORKSPACE_NOT_ALLOWED");
    }
  });
});
