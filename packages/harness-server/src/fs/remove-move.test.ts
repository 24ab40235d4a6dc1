import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "move-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1000 });
  mkdirSync(join(ws, "full/sub"), { recursive: true });
  mkdirSync(join(ws, "empty"));
  writeFileSync(join(ws, "full/sub/x"), "x");
  writeFileSync(join(ws, "a"), "a");
  writeFileSync(join(ws, "b"), "b");
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

const code = (name: string) => ({ code: name });

describe("remove", () => {
  it("deletes files and empty folders, full ones only when told", async () => {
    await fs.remove("a");
    await fs.remove("empty");
    await expect(fs.remove("full")).rejects.toMatchObject(code("NOT_EMPTY"));
    expect(readFileSync(join(ws, "full/sub/x"), "utf8")).toBe("x");
    await fs.remove("full", true);
    await fs.remove("b", true);
    expect(readdirSync(ws)).toEqual([]);
    await expect(fs.remove("a")).rejects.toMatchObject(code("NOT_FOUND"));
    await expect(fs.remove("a", true)).rejects.toMatchObject(code("NOT_FOUND"));
    await expect(fs.remove("a/b", true)).rejects.toMatchObject(code("NOT_FOUND"));
  });

  it("deletes links on the way, never what they lead to", async () => {
    const other = mkdtempSync(join(tmpdir(), "kept-"));
    writeFileSync(join(other, "kept"), "kept");
    symlinkSync(other, join(ws, "full/out"));
    symlinkSync("../../a", join(ws, "full/sub/in"));
    symlinkSync("none", join(ws, "full/dangling"));
    await fs.remove("full", true);
    expect(existsSync(join(ws, "full"))).toBe(false);
    expect(readFileSync(join(other, "kept"), "utf8")).toBe("kept");
    expect(readFileSync(join(ws, "a"), "utf8")).toBe("a");
    rmSync(other, { recursive: true });
  });

  it("deletes wide and very deep folders with few descriptors", async () => {
    let path = join(ws, "full");
    for (let level = 0; level < 400; level++) path = join(path, "d");
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "bottom"), "x");
    for (let i = 0; i < 3000; i++) writeFileSync(join(ws, `full/sub/f${i}`), "");
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, readdirSync("/proc/self/fd").length);
    }, 1);
    await fs.remove("full", true);
    clearInterval(watch);
    expect(existsSync(join(ws, "full"))).toBe(false);
    expect(most).toBeLessThan(300);
  });

  it("copes with somebody who fills the folder meanwhile and with two at once", async () => {
    for (let i = 0; i < 500; i++) writeFileSync(join(ws, `full/sub/f${i}`), "");
    let filled = 0;
    const filler = setInterval(() => {
      if (filled < 20 && existsSync(join(ws, "full/sub"))) writeFileSync(join(ws, `full/sub/new${filled++}`), "");
    }, 1);
    await fs.remove("full", true);
    clearInterval(filler);
    expect(existsSync(join(ws, "full"))).toBe(false);
    const results = await Promise.allSettled([fs.remove("a"), fs.remove("a")]);
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("mkdir", () => {
  it("makes one folder, or all of them", async () => {
    await fs.mkdir("new");
    await expect(fs.mkdir("new")).rejects.toMatchObject(code("NOT_EMPTY"));
    await expect(fs.mkdir("x/y")).rejects.toMatchObject(code("NOT_FOUND"));
    await fs.mkdir("x/y/z", true);
    await fs.mkdir("x/y/z", true);
    expect(existsSync(join(ws, "x/y/z"))).toBe(true);
    await expect(fs.mkdir("a", true)).rejects.toMatchObject(code("NOT_EMPTY"));
    await expect(fs.mkdir("a/b", true)).rejects.toMatchObject(code("NOT_A_FILE"));
    await Promise.all(Array.from({ length: 10 }, (_, i) => fs.mkdir(`p/q/r/${i}`, true)));
    expect(readdirSync(join(ws, "p/q/r"))).toHaveLength(10);
  });
});

describe("move", () => {
  it("moves files and folders and makes the folders above the target", async () => {
    await fs.move("a", "new/deep/a2");
    expect(readFileSync(join(ws, "new/deep/a2"), "utf8")).toBe("a");
    await fs.move("full", "new/full");
    expect(readFileSync(join(ws, "new/full/sub/x"), "utf8")).toBe("x");
    expect(readdirSync(ws).sort()).toEqual(["b", "empty", "new"]);
  });

  it.each([
    ["a", "b", false, "NOT_EMPTY"],
    ["a", "empty", true, "NOT_EMPTY"],
    ["a", "full", true, "NOT_EMPTY"],
    ["full", "empty", true, "NOT_EMPTY"],
    ["full", "a", true, "NOT_EMPTY"],
    ["full/sub", "full", true, "NOT_EMPTY"],
    ["full", "full", true, "VALIDATION"],
    ["full", "./full/", true, "VALIDATION"],
    ["full", "full/sub/y", true, "VALIDATION"],
    ["none", "y", true, "NOT_FOUND"],
    ["none", "made/y", true, "NOT_FOUND"],
    ["a", "b/y", true, "NOT_A_FILE"],
  ])("refuses %j to %j (overwrite: %j) with everything in place", async (from, to, overwrite, expected) => {
    await expect(fs.move(from, to, overwrite)).rejects.toMatchObject(code(expected));
    expect(readdirSync(ws, { recursive: true }).sort()).toEqual(["a", "b", "empty", "full", "full/sub", "full/sub/x"]);
    expect([readFileSync(join(ws, "a"), "utf8"), readFileSync(join(ws, "b"), "utf8")]).toEqual(["a", "b"]);
  });

  it("replaces a file when told", async () => {
    await fs.move("a", "b", true);
    expect(existsSync(join(ws, "a"))).toBe(false);
    expect(readFileSync(join(ws, "b"), "utf8")).toBe("a");
  });

  it("lets one of several movers win, and crossing moves do not wait for each other for ever", async () => {
    const results = await Promise.allSettled([fs.move("a", "t1"), fs.move("a", "t2"), fs.move("b", "t1")]);
    expect(results.filter((result) => result.status === "fulfilled").length).toBeGreaterThan(0);
    writeFileSync(join(ws, "p"), "p");
    writeFileSync(join(ws, "q"), "q");
    await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? fs.move("p", "q", true) : fs.move("q", "p", true))),
    );
    expect([existsSync(join(ws, "p")), existsSync(join(ws, "q"))].filter(Boolean)).toHaveLength(1);
  });
});
