import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "tree-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1000, maxTreeEntries: 500 });
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

function make(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(join(ws, path, ".."), { recursive: true });
    if (path.endsWith("/")) mkdirSync(join(ws, path), { recursive: true });
    else writeFileSync(join(ws, path), path);
  }
}

async function paths(query: Parameters<WorkspaceFs["tree"]>[0] = {}): Promise<string[]> {
  return (await fs.tree(query)).entries.map((entry) => entry.path);
}

async function paged(query: Parameters<WorkspaceFs["tree"]>[0]): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await fs.tree({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.entries.map((entry) => entry.path));
    cursor = page.nextCursor;
  }
  return pages;
}

it("lists children by default, deeper levels on demand, with paths from the root", async () => {
  make("a/b/c/d.txt", "a-b", "z.txt", ".hidden", "..dots/x", "empty/");
  expect(await paths()).toEqual(["..dots", ".hidden", "a", "a-b", "empty", "z.txt"]);
  expect(await paths({ path: "/", depth: 2 })).toEqual([
    "..dots",
    "..dots/x",
    ".hidden",
    "a",
    "a/b",
    "a-b",
    "empty",
    "z.txt",
  ]);
  expect(await paths({ path: "a", depth: 64 })).toEqual(["a/b", "a/b/c", "a/b/c/d.txt"]);
  expect(await paths({ path: "./a//b/" })).toEqual(["a/b/c"]);
  expect(await paths({ path: "empty" })).toEqual([]);
});

it("sorts by bytes, not by UTF-16 units", async () => {
  make("b", "B", "é", "\uffee", "😀", "a");
  expect(await paths()).toEqual(["B", "a", "b", "é", "\uffee", "😀"]);
});

it("describes what it lists and never follows or trips over links", async () => {
  make("file.txt", "dir/inner");
  chmodSync(join(ws, "file.txt"), 0o640);
  symlinkSync("/etc/shadow", join(ws, "l1"));
  symlinkSync("none", join(ws, "l2"));
  symlinkSync("l3", join(ws, "l3"));
  symlinkSync("dir", join(ws, "l4"));
  const { entries, nextCursor } = await fs.tree({ depth: 3 });
  expect(nextCursor).toBeNull();
  expect(entries.map(({ path, type, target }) => [path, type, target])).toEqual([
    ["dir", "dir", undefined],
    ["dir/inner", "file", undefined],
    ["file.txt", "file", undefined],
    ["l1", "symlink", "/etc/shadow"],
    ["l2", "symlink", "none"],
    ["l3", "symlink", "l3"],
    ["l4", "symlink", "dir"],
  ]);
  const file = entries[2];
  expect([file?.size, file?.mode]).toEqual([8, 0o640]);
  expect(Math.abs((file?.mtime ?? 0) - Date.now())).toBeLessThan(3_600_000);
});

it.each([
  ["file.txt", "NOT_FOUND"],
  ["none", "NOT_FOUND"],
  ["file.txt/x", "NOT_FOUND"],
])("refuses to list %j", async (path, code) => {
  make("file.txt");
  await expect(fs.tree({ path })).rejects.toMatchObject({ code });
});

it("pages through everything once, whatever the page size", async () => {
  make("a/b/c", "a/b/d", "a/e", "a-", "b/", "c/d/e/f", "c/g", "h");
  const all = await paths({ depth: 10 });
  expect(all).toHaveLength(13);
  for (let limit = 1; limit <= all.length + 1; limit++) {
    const pages = await paged({ depth: 10, limit });
    expect(pages.flat()).toEqual(all);
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
  }
});

it("goes on at the same place when entries come and go between pages", async () => {
  make("a", "b/1", "b/2", "c", "d");
  const first = await fs.tree({ depth: 2, limit: 3 });
  expect(first.entries.map((entry) => entry.path)).toEqual(["a", "b", "b/1"]);
  rmSync(join(ws, "b"), { recursive: true });
  make("a0", "bb");
  const rest = await paths({ depth: 2, cursor: first.nextCursor ?? "" });
  expect(rest).toEqual(["bb", "c", "d"]);
});

it("refuses cursors it did not make", async () => {
  for (const cursor of ["", "%", "Li4v", Buffer.from("a\0").toString("base64url"), "YQ=="]) {
    await expect(fs.tree({ cursor })).rejects.toMatchObject({ code: "VALIDATION" });
  }
  make("b");
  expect(await paths({ cursor: Buffer.from("../../etc").toString("base64url") })).toEqual(["b"]);
});

it("caps a page and keeps big folders in order", async () => {
  for (let i = 0; i < 2500; i++) writeFileSync(join(ws, `f${(i * 7919) % 2500}`), "");
  const pages = await paged({ limit: 10_000 });
  expect(pages.map((page) => page.length)).toEqual([500, 500, 500, 500, 500]);
  const expected = Array.from({ length: 2500 }, (_, i) => `f${i}`).sort();
  expect(pages.flat()).toEqual(expected);
});

it("pages any tree completely", async () => {
  const segment = fc.constantFrom("a", "b", "ab", "a-b", "é", ".x");
  const tree = fc.array(fc.array(segment, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(tree, fc.integer({ min: 1, max: 5 }), async (list, limit) => {
      rmSync(ws, { recursive: true, force: true });
      mkdirSync(ws);
      fs = createWorkspaceFs({ root: ws, maxFileBytes: 1000 });
      for (const names of list) mkdirSync(join(ws, ...names), { recursive: true });
      const folders = new Set(list.flatMap((names) => names.map((_, i) => names.slice(0, i + 1).join("/"))));
      const found = (await paged({ depth: 10, limit })).flat();
      expect(new Set(found)).toEqual(folders);
      expect(found).toHaveLength(folders.size);
    }),
    { numRuns: 40 },
  );
});
