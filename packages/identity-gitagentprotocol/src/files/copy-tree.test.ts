import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readTree, type TestFolders, testFolders, writeFiles } from "../fixtures/folders.ts";
import { NoticeList } from "../model/notices.ts";
import { Budget } from "./budget.ts";
import { copyTree } from "./copy-tree.ts";

async function copy({ root, dir }: TestFolders, from = join(root, "source")): Promise<string[]> {
  const notices = new NoticeList();
  await copyTree({
    from,
    to: dir,
    leaveOut: new Set([".git"]),
    gitignore: false,
    budget: new Budget({ maxFiles: 1_000, maxBytes: 1_000_000, timeoutMs: 60_000 }),
    notices,
    signal: new AbortController().signal,
  });
  return notices.all().map((notice) => notice.code);
}

/** Process id of a child that has ended and was not waited for. */
function endedChildOf(pid: number): string | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  return children.find((child) => / Z /.test(readFileSync(`/proc/${child}/stat`, "utf8")));
}

describe("copyTree", () => {
  it("copies names of every kind, and says which are no text", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "source");
    await writeFiles(source, {
      "a b": "1",
      "--help": "2",
      "line\nbreak": "3",
      "ünï/文": "4",
      ".hidden": "5",
      "...": "6",
    });
    await writeFile(Buffer.concat([Buffer.from(`${source}/bad`), Buffer.from([0xff, 0xfe])]), "7");
    expect(await copy(folders)).toEqual(["gap.source.name"]);
    const { ünï, ...files } = await readTree(folders.dir);
    expect(Object.values(files).sort()).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  it("ends at a depth that nobody needs, and says so", async () => {
    await using folders = await testFolders();
    await mkdir(join(folders.root, "source", ...Array<string>(80).fill("d")), { recursive: true });
    expect(await copy(folders)).toEqual(["gap.source.too_deep"]);
    expect(Object.keys(await readTree(folders.dir))).toHaveLength(64);
  });

  it("keeps links that go round, without going round", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "source");
    await writeFiles(source, { "a/b/file": "x" });
    await symlink("../..", join(source, "a/b/top"));
    await symlink(".", join(source, "a/self"));
    expect(await copy(folders)).toEqual([]);
    expect(await readTree(folders.dir)).toMatchObject({ "a/b/top": "-> ../..", "a/self": "-> ." });
  });

  it("leaves empty folders empty and what is to be left out untouched", async () => {
    await using folders = await testFolders();
    const source = join(folders.root, "source");
    await mkdir(join(source, "empty"), { recursive: true });
    await writeFiles(source, { ".git": "gitdir: elsewhere", "sub/.git/HEAD": "ref" });
    expect(await copy(folders)).toEqual([]);
    expect(await readdir(folders.dir)).toEqual(["empty", "sub"]);
  });

  it.skipIf(process.platform !== "linux")(
    "leaves out folders that open but cannot be listed, and says so",
    async () => {
      await using folders = await testFolders();
      // The network folder of a process that has ended and that nobody waits for is such a one.
      const parent = spawn("sh", ["-c", "sh -c 'exit 0' & exec sleep 60"], { stdio: "ignore" });
      try {
        const ended = await vi.waitUntil(() => endedChildOf(parent.pid ?? 0), { timeout: 20_000 });
        expect(await copy(folders, `/proc/${ended}/task/${ended}`)).toContain("gap.source.unreadable");
      } finally {
        parent.kill("SIGKILL");
      }
    },
  );

  it("rejects when the source itself is gone", async () => {
    await using folders = await testFolders();
    await expect(copy(folders)).rejects.toThrow(/ENOENT/);
  });
});
