import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { OwnedDirs } from "./owned-dirs.ts";

const NOBODY = 65_534;

async function open() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ca-owned-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { root, dirs: await OwnedDirs.open(join(root, "data")) };
}

describe("owned folders", () => {
  it("are private, and recorded", async () => {
    const { dirs } = await open();
    const path = await dirs.create("work", "a");
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await stat(dirs.root)).mode & 0o777).toBe(0o700);
    const record = await readFile(join(dirs.root, "owned.jsonl"), "utf8");
    expect(
      record
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([{ owned: path }]);
    expect([dirs.owns(path), dirs.owns(dirs.root)]).toEqual([true, false]);
  });

  it("are in a record that stays small, however many come and go, some at once", async () => {
    const { dirs } = await open();
    const kept = [await dirs.create("work", "first")];
    const comeAndGo = async (from: number): Promise<void> => {
      for (let n = from; n < 1200; n += 4) await dirs.remove(await dirs.create("work", `d${n}`));
    };
    await Promise.all([0, 1, 2, 3].map(comeAndGo));
    kept.push(await dirs.create("work", "last"));
    const lines = (await readFile(join(dirs.root, "owned.jsonl"), "utf8")).trim().split("\n");
    expect(lines.length).toBeLessThan(1010);
    expect(lines.map((line) => JSON.parse(line).owned)).toEqual(expect.arrayContaining(kept));
    expect((await readdir(dirs.root)).sort()).toEqual(["owned.jsonl", "work"]);
  });

  it("are never what was there before, or outside", async () => {
    const { root, dirs } = await open();
    await mkdir(join(dirs.root, "work", "theirs"), { recursive: true });
    await expect(dirs.create("work", "theirs")).rejects.toMatchObject({ code: "EEXIST" });
    await expect(dirs.create("..", "out")).rejects.toThrow();
    expect(await dirs.remove(join(dirs.root, "work", "theirs"))).toBe(false);
    expect(await dirs.remove(root)).toBe(false);
    expect(existsSync(join(dirs.root, "work", "theirs"))).toBe(true);
  });

  it("are removed without following a link out of them", async () => {
    const { root, dirs } = await open();
    await mkdir(join(root, "user"));
    await writeFile(join(root, "user", "mine.txt"), "mine");
    const path = await dirs.create("work", "a");
    await symlink(join(root, "user"), join(path, "link"));
    expect(await dirs.remove(path)).toBe(true);
    expect(await dirs.remove(path)).toBe(false);
    expect(await readdir(join(root, "user"))).toEqual(["mine.txt"]);
  });

  it("are removed with folders in them that were made unwritable", async () => {
    const { root, dirs } = await open();
    const { geteuid, seteuid } = process;
    if (geteuid?.() === 0 && seteuid) {
      // Root could remove anything.
      await chmod(root, 0o777);
      seteuid(NOBODY);
      onTestFinished(() => seteuid(0));
    }
    const own = await OwnedDirs.open(join(root, "own"));
    const path = await own.create("work", "a");
    await mkdir(join(path, "cache", "deep"), { recursive: true });
    await writeFile(join(path, "cache", "deep", "file"), "x");
    await chmod(join(path, "cache", "deep"), 0o500);
    await chmod(join(path, "cache"), 0o000);
    expect(await own.remove(path)).toBe(true);
    expect(existsSync(path)).toBe(false);
    expect(dirs.owns(path)).toBe(false);
  });
});
