import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";

describe("a local source", { timeout: 120_000 }, () => {
  it("is copied with modes and inner links, and stays untouched itself", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(source, { ...TINY, "bin/run.sh": "#!/bin/sh\n", "docs/a.md": "a", "locked/b.md": "b" });
    await chmod(join(source, "bin/run.sh"), 0o4755);
    await chmod(join(source, "docs/a.md"), 0o440);
    await chmod(join(source, "locked"), 0o555);
    await symlink("docs/a.md", join(source, "to-file"));
    await symlink(join(source, "docs"), join(source, "to-folder"));
    await symlink("../to-file", join(source, "bin/to-link"));
    await symlink("..", join(source, "docs/up"));
    const old = new Date("2020-01-01");
    for (const path of ["", "docs", "docs/a.md", "bin"]) await utimes(join(source, path), old, old);
    const before = await readTree(source);

    await loadInto(folders, { type: "local", path: source });

    expect(await readTree(folders.dir)).toEqual({
      ...before,
      "to-file": "-> docs/a.md",
      "to-folder": "-> docs",
      "bin/to-link": "-> ../docs/a.md",
      "docs/up": "-> ..",
    });
    expect((await stat(join(folders.dir, "bin/run.sh"))).mode & 0o7777).toBe(0o755);
    expect((await stat(join(folders.dir, "docs/a.md"))).mode & 0o7777).toBe(0o440);
    expect((await stat(join(folders.dir, "locked"))).mode & 0o7777).toBe(0o755);
    await writeFile(join(folders.dir, "SOUL.md"), "changed by the agent");
    expect(await readTree(source)).toEqual(before);
    for (const path of ["", "docs", "bin"]) expect((await stat(join(source, path))).mtime).toEqual(old);
  });

  it("leaves out links to the outside, dangling links, pipes and sockets, and says so", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(folders.root, { "secret.txt": "secret", "outside/x": "x", "agent-2/y": "y" });
    await writeFiles(source, { ...TINY, "ignored/z": "z", ".gitignore": "ignored\n" });
    await symlink("../secret.txt", join(source, "secret"));
    await symlink(join(folders.root, "outside"), join(source, "folder"));
    await symlink("../agent-2/y", join(source, "neighbour"));
    await symlink("absent", join(source, "dangling"));
    await symlink("loop", join(source, "loop"));
    await symlink("ignored/z", join(source, "to-ignored"));
    execFileSync("mkfifo", [join(source, "pipe")]);
    const result = await loadInto(folders, { type: "local", path: source });
    expect(Object.keys(await readTree(folders.dir))).toEqual([".gitignore", "SOUL.md", "agent.yaml"]);
    const links = result.notices.filter((notice) => notice.code === "gap.source.link").map((notice) => notice.path);
    expect(links).toEqual(["dangling", "folder", "loop", "neighbour", "secret", "to-ignored"]);
    expect(noticeCodes(result)).toContain("gap.source.special_file");
  });

  it("may be named through a link, and does not swallow the copy when that lies inside of it", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.root, TINY);
    await symlink(folders.root, join(folders.root, "alias"));
    await loadInto(folders, { type: "local", path: join(folders.root, "alias") });
    const copied = await readdir(folders.dir);
    expect(copied.sort()).toEqual(["SOUL.md", "agent.yaml", "alias", "session"]);
    expect(await readdir(join(folders.dir, "session"))).toEqual(["generated"]);
  });

  it("may lose files while it is copied", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    const names = Array.from({ length: 400 }, (_, index) => `many/${index}.txt`);
    await writeFiles(source, { ...TINY, ...Object.fromEntries(names.map((name) => [name, "x"])) });
    const loading = loadInto(folders, { type: "local", path: source });
    for (const name of names.toReversed()) {
      await rm(join(source, name));
      await nextTurn();
    }
    await expect(loading).resolves.toMatchObject({ info: { name: "tiny" } });
  });

  it("never follows a folder that turns into a link", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(folders.root, { "outside/secret.txt": "secret" });
    await writeFiles(source, {
      ...TINY,
      ...Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`pad/${i}`, "x"])),
    });
    await mkdir(join(source, "swap"));
    const swapping = (async () => {
      for (let round = 0; round < 300; round += 1) {
        await rm(join(source, "swap"), { recursive: true, force: true });
        if (round % 2 === 0) await symlink("../outside", join(source, "swap"));
        else await mkdir(join(source, "swap"));
      }
    })();
    await loadInto(folders, { type: "local", path: source });
    await swapping;
    const copied = await readTree(folders.dir);
    expect(Object.values(copied)).not.toContain("secret");
    const swap = await lstat(join(folders.dir, "swap")).catch(() => undefined);
    expect(swap?.isSymbolicLink() ?? false).toBe(false);
  });
});

describe("which local sources are allowed", () => {
  it("is none by default", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.root, TINY);
    const error = await wireErrorOf(loadInto(folders, { type: "local", path: folders.root }, { localSources: [] }));
    expect(error.code).toBe("WORKSPACE_NOT_ALLOWED");
  });

  it("is what really lies under the roots, by whatever name", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.root, {
      "root/agent/agent.yaml": TINY["agent.yaml"],
      "root/agent/SOUL.md": TINY["SOUL.md"],
    });
    await writeFiles(folders.root, { "root-2/agent.yaml": "", "elsewhere/agent.yaml": "" });
    await symlink("../elsewhere", join(folders.root, "root/sneaky"));
    await symlink("root", join(folders.root, "alias"));
    const localSources = [join(folders.root, "alias")];
    const codeOf = async (path: string): Promise<string> =>
      (await wireErrorOf(loadInto(folders, { type: "local", path: join(folders.root, path) }, { localSources }))).code;
    expect(await codeOf("root-2")).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await codeOf("elsewhere")).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await codeOf("root/sneaky")).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await codeOf("root/../elsewhere")).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await codeOf("not-there")).toBe("WORKSPACE_NOT_ALLOWED");
    expect(await codeOf("root/not-there")).toBe("SOURCE_UNREACHABLE");
    expect(await codeOf("root/agent/SOUL.md")).toBe("SOURCE_UNREACHABLE");
    await loadInto(folders, { type: "local", path: join(folders.root, "root/agent") }, { localSources });
  });

  it.each(["agents/one", "./x", "~/agents", ".", "a\0b"])("never is a relative path such as %j", async (path) => {
    await using folders = await testFolders();
    const error = await wireErrorOf(loadInto(folders, { type: "local", path }));
    expect(error.code).toBe("SOURCE_UNREACHABLE");
    expect(error.message).toMatch(/absolute/);
  });
});

describe("limits of a source", () => {
  it.each([
    [{ maxFiles: 3 }, /more than 3 files/],
    [{ maxBytes: 1_000 }, /larger than 1000 bytes/],
  ])("%j end the load and leave nothing behind", async (limits, message) => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(source, { ...TINY, "a/b": "x".repeat(600), "a/c": "x".repeat(600) });
    const error = await wireErrorOf(loadInto(folders, { type: "local", path: source }, { limits }));
    expect(error.code).toBe("SOURCE_UNREACHABLE");
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(folders.dir);
    expect(await readdir(folders.dir)).toEqual([]);
    expect(await readdir(folders.generatedDir)).toEqual([]);
  });

  it("an aborted load rejects with the reason and leaves nothing behind", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "agent");
    await writeFiles(source, {
      ...TINY,
      ...Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d/${i}`, "x"])),
    });
    const controller = new AbortController();
    const loading = loadInto(folders, { type: "local", path: source }, { signal: controller.signal });
    controller.abort(new Error("the client went away"));
    await expect(loading).rejects.toThrow("the client went away");
    expect(await readdir(folders.dir)).toEqual([]);
  });

  it("a folder that is not empty is refused and kept", async () => {
    await using folders = await testFolders();
    await writeFiles(folders.dir, { "precious.txt": "mine" });
    await expect(loadInto(folders, { type: "inline", manifest: {} })).rejects.toThrow(/not empty/);
    expect(await readTree(folders.dir)).toEqual({ "precious.txt": "mine" });
  });
});
