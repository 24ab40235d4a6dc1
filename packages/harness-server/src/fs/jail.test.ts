import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let base: string;
let fs: WorkspaceFs;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "jail-"));
  mkdirSync(join(base, "ws/dir"), { recursive: true });
  mkdirSync(join(base, "outside/folder"), { recursive: true });
  writeFileSync(join(base, "outside/secret.txt"), "secret");
  writeFileSync(join(base, "outside/folder/secret.txt"), "secret");
  writeFileSync(join(base, "ws/dir/file.txt"), "inside");
  fs = createWorkspaceFs({ root: join(base, "ws"), maxFileBytes: 1_000_000 });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

async function read(path: string): Promise<string> {
  const file = await fs.open(path);
  return new Response(file.stream(0, file.size)).text();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error) => {
      expect(error.message).not.toContain(base);
      return error.code;
    },
  );
}

function outside(): unknown {
  return [
    readdirSync(join(base, "outside"), { recursive: true }).sort(),
    readFileSync(join(base, "outside/secret.txt"), "utf8"),
    readFileSync(join(base, "outside/folder/secret.txt"), "utf8"),
    readdirSync(base).sort(),
  ];
}

const OPERATIONS: Record<string, (path: string) => Promise<unknown>> = {
  read: (path) => read(path),
  tree: (path) => fs.tree({ path }),
  write: (path) => fs.write(path, Buffer.from("evil")),
  edit: (path) => fs.edit({ path, old_string: "secret", new_string: "evil" }),
  mkdir: (path) => fs.mkdir(path, false),
  "mkdir recursive": (path) => fs.mkdir(path, true),
  remove: (path) => fs.remove(path, false),
  "remove recursive": (path) => fs.remove(path, true),
  "move from": (path) => fs.move(path, "stolen", true),
  "move to": (path) => fs.move("dir/file.txt", path, true),
};

describe.each(Object.entries(OPERATIONS))("%s", (_name, operation) => {
  it.each([["../outside/secret.txt"], ["dir/../../outside/secret.txt"], ["/etc/passwd"], ["dir\0/x"]])(
    "refuses %j",
    async (path) => {
      const before = outside();
      expect(await codeOf(operation(path))).toBe("PATH_ESCAPE");
      expect(outside()).toEqual(before);
    },
  );

  it.each([
    ["a link to a file outside", "../outside/secret.txt", "link"],
    ["an absolute link to a file outside", "ABS/outside/secret.txt", "link"],
    ["a link to a folder outside", "../outside", "link"],
    ["a path through a link outside", "../outside", "link/secret.txt"],
    ["a folder behind a link outside", "../outside", "link/folder"],
    ["a new name behind a link outside", "../outside", "link/new"],
    ["a new name deep behind a link outside", "../outside", "link/new/deep"],
    ["a dangling link outside", "../outside/missing", "link"],
    ["a dangling absolute link", "/no/such/place", "link"],
    ["a link that only begins like the root", "ABS/ws-evil/x", "link"],
    ["a link that goes out by way of a folder inside", "dir/../../outside/secret.txt", "link"],
    ["a link to the root's parent and back in", "../ws/dir/file.txt", "link"],
    ["a link to itself", "link", "link"],
  ])("refuses %s", async (_what, target, path) => {
    symlinkSync(target.replace("ABS", base), join(base, "ws/link"));
    const before = outside();
    expect(await codeOf(operation(path))).toBe("PATH_ESCAPE");
    expect(outside()).toEqual(before);
    expect(existsSync(join(base, "ws/stolen"))).toBe(false);
    expect(readFileSync(join(base, "ws/dir/file.txt"), "utf8")).toBe("inside");
  });
});

describe("links inside", () => {
  it.each([
    ["to a file", "dir/file.txt", "link"],
    ["to a folder", "dir", "link/file.txt"],
    ["absolute", "ROOT/dir/file.txt", "link"],
    ["to the root", ".", "link/dir/file.txt"],
    ["absolute to the root", "ROOT", "link/dir/file.txt"],
    ["with dot segments", "./dir/../dir//./file.txt", "link"],
    ["to itself by way of the root", "ROOT/dir", "link/file.txt"],
  ])("are followed by reads: %s", async (_what, target, path) => {
    symlinkSync(target.replace("ROOT", join(base, "ws")), join(base, "ws/link"));
    expect(await read(path)).toBe("inside");
  });

  it("are followed one after another, and resolved where they stand", async () => {
    symlinkSync("dir", join(base, "ws/one"));
    mkdirSync(join(base, "ws/dir/sub"));
    symlinkSync("../file.txt", join(base, "ws/dir/sub/two"));
    symlinkSync("one/sub/../sub/two", join(base, "ws/three"));
    expect(await read("three")).toBe("inside");
    expect(await read("one/sub/two")).toBe("inside");
  });

  it("list the folder they lead to", async () => {
    symlinkSync("dir", join(base, "ws/link"));
    const { entries } = await fs.tree({ path: "link" });
    expect(entries.map(({ path, type }) => [path, type])).toEqual([["link/file.txt", "file"]]);
  });

  it("are not found when dangling inside", async () => {
    symlinkSync("dir/none", join(base, "ws/link"));
    expect(await codeOf(read("link"))).toBe("NOT_FOUND");
  });

  it("stop after too many links or steps", async () => {
    for (let i = 0; i < 60; i++) symlinkSync(`l${i + 1}`, join(base, `ws/l${i}`));
    writeFileSync(join(base, "ws/l60"), "x");
    expect(await codeOf(read("l0"))).toBe("PATH_ESCAPE");
    expect(await read("l30")).toBe("x");
    const long = "dir/../".repeat(580);
    symlinkSync(`${long}w1`, join(base, "ws/w0"));
    for (let i = 1; i < 30; i++) symlinkSync(`${long}w${i + 1}`, join(base, `ws/w${i}`));
    writeFileSync(join(base, "ws/w30"), "x");
    expect(await codeOf(read("w0"))).toBe("PATH_ESCAPE");
  });

  it.each(["write", "edit", "mkdir recursive", "remove", "remove recursive", "move from", "move to"])(
    "are refused by %s",
    async (name) => {
      symlinkSync("dir", join(base, "ws/link"));
      symlinkSync("dir/file.txt", join(base, "ws/leaf"));
      expect(await codeOf(OPERATIONS[name]?.("link/file.txt") ?? Promise.reject())).toBe("PATH_ESCAPE");
      expect(await codeOf(OPERATIONS[name]?.("leaf") ?? Promise.reject())).toBe("PATH_ESCAPE");
      expect(readFileSync(join(base, "ws/dir/file.txt"), "utf8")).toBe("inside");
    },
  );
});

describe("the root", () => {
  it("is the folder of the beginning, not what is put there later", async () => {
    renameSync(join(base, "ws"), join(base, "old"));
    expect(await codeOf(fs.tree({}))).toBe("NOT_FOUND");
    symlinkSync("outside", join(base, "ws"));
    expect(await codeOf(read("secret.txt"))).toBe("NOT_FOUND");
    rmSync(join(base, "ws"));
    mkdirSync(join(base, "ws"));
    expect(await codeOf(fs.write("x", Buffer.from("x")))).toBe("NOT_FOUND");
    expect(readdirSync(join(base, "ws"))).toEqual([]);
  });

  it("may be given as a link, and must be a folder", async () => {
    symlinkSync("ws", join(base, "alias"));
    const alias = createWorkspaceFs({ root: join(base, "alias"), maxFileBytes: 10 });
    expect(alias.root).toBe(join(base, "ws"));
    symlinkSync(join(base, "alias/dir"), join(base, "ws/link"));
    expect((await alias.tree({ path: "link" })).entries).toHaveLength(1);
    expect(() => createWorkspaceFs({ root: join(base, "ws/dir/file.txt"), maxFileBytes: 10 })).toThrow("not exist");
    expect(() => createWorkspaceFs({ root: join(base, "none"), maxFileBytes: 10 })).toThrow("not exist");
    expect(() => createWorkspaceFs({ root: join(base, "ws/dir/file.txt/x"), maxFileBytes: 10 })).toThrow();
  });

  it("cannot be written, edited, moved or deleted", async () => {
    for (const root of ["", "/", "."]) {
      expect(await codeOf(read(root))).toBe("NOT_A_FILE");
      expect(await codeOf(fs.write(root, Buffer.from("")))).toBe("NOT_A_FILE");
      expect(await codeOf(fs.remove(root, true))).toBe("VALIDATION");
      expect(await codeOf(fs.move(root, "x"))).toBe("VALIDATION");
      expect(await codeOf(fs.move("dir", root, true))).toBe("VALIDATION");
      expect(await codeOf(fs.mkdir(root, false))).toBe("NOT_EMPTY");
      expect(await codeOf(fs.mkdir(root, true))).toBe("ok");
    }
    expect(await read("dir/file.txt")).toBe("inside");
  });
});
