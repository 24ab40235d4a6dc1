import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { CommitCache } from "./commit-cache.ts";

const signal = new AbortController().signal;
const LIMITS = { maxEntries: 10, maxBytes: 1_000_000 };
const key = (digit: string): string => digit.repeat(64);

async function withCache(limits = LIMITS) {
  const folders = await testFolders();
  const from = join(folders.root, "from");
  const cacheDir = join(folders.root, "cache");
  await writeFiles(from, { a: "a", "sub/b": "b" });
  const cache = new CommitCache(cacheDir, limits);
  return { ...folders, from, cacheDir, cache };
}

describe("CommitCache", { timeout: 60_000 }, () => {
  it("lets a reader whose entry is removed meanwhile begin again, and never end with a part", async () => {
    await using test = await withCache();
    await test.cache.write(key("a"), test.from, ["gone"], signal);
    const entry = join(test.cacheDir, key("a"));
    let reads = 0;
    const copied = await test.cache.read(key("a"), signal, async (files, { submodules }) => {
      reads += 1;
      await rm(test.dir, { recursive: true });
      if (reads === 1) {
        // Another process evicts the entry, and a third one makes it again.
        await cp(entry, join(test.root, "again"), { recursive: true });
        await rename(entry, join(test.root, "evicted"));
        await rm(join(test.root, "evicted"), { recursive: true });
        await rename(join(test.root, "again"), entry);
        await mkdir(test.dir);
        return [];
      }
      await cp(files, test.dir, { recursive: true });
      return submodules;
    });
    expect([reads, copied]).toEqual([2, ["gone"]]);
    expect(await readTree(test.dir)).toEqual({ a: "a", sub: "<folder>", "sub/b": "b" });
  });

  it("gives up on an entry that is removed again and again", async () => {
    await using test = await withCache();
    let reads = 0;
    await test.cache.write(key("a"), test.from, [], signal);
    const copied = await test.cache.read(key("a"), signal, async () => {
      reads += 1;
      await rm(join(test.cacheDir, key("a")), { recursive: true });
      throw new Error("files are missing");
    });
    expect([reads, copied]).toEqual([1, undefined]);
  });

  it("passes on what fails for another reason", async () => {
    await using test = await withCache();
    await test.cache.write(key("a"), test.from, [], signal);
    const read = test.cache.read(key("a"), signal, () => Promise.reject(new Error("the disk is full")));
    await expect(read).rejects.toThrow("the disk is full");
  });

  it("keeps the first of two writers, and no folder of the second", async () => {
    await using test = await withCache();
    await test.cache.write(key("a"), test.from, ["first"], signal);
    await test.cache.write(key("a"), test.from, ["second"], signal);
    expect(await readdir(test.cacheDir)).toEqual([key("a")]);
    expect(await readFile(join(test.cacheDir, key("a"), "entry.json"), "utf8")).toContain("first");
  });

  it("keeps folders of living writers and clears away those of dead ones, but nothing that is not its own", async () => {
    await using test = await withCache();
    const dead = `tmp-999999999-1-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}-${"0".repeat(12)}`;
    await writeFiles(test.cacheDir, { [`${dead}/files/half`]: "half", "notes/mine.txt": "mine" });
    await test.cache.write(key("a"), test.from, [], signal);
    expect((await readdir(test.cacheDir)).sort()).toEqual([key("a"), "notes"]);
  });

  it("leaves nothing of a write that is aborted", async () => {
    await using test = await withCache();
    const write = test.cache.write(key("a"), test.from, [], AbortSignal.abort(new Error("stop")));
    await expect(write).rejects.toThrow("stop");
    expect(await readdir(test.cacheDir)).toEqual([]);
  });

  it("leaves nothing on a disk that is full, and works again when there is room", async (context) => {
    await using test = await withCache();
    await mkdir(test.cacheDir);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", test.cacheDir], { stdio: "ignore" });
    } catch {
      context.skip("needs the right to mount a file system");
    }
    try {
      await test.cache.write(key("a"), test.from, [], signal);
      await writeFile(join(test.from, "large"), Buffer.alloc(500_000));
      await expect(test.cache.write(key("b"), test.from, [], signal)).rejects.toThrow(/ENOSPC/);
      expect(await readdir(test.cacheDir)).toEqual([key("a")]);
      await rm(join(test.from, "large"));
      await test.cache.write(key("b"), test.from, [], signal);
      expect((await readdir(test.cacheDir)).sort()).toEqual([key("a"), key("b")]);
    } finally {
      execFileSync("umount", [test.cacheDir]);
    }
  });
});
