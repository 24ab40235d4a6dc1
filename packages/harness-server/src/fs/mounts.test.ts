import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, type TestContext } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

const NOBODY = 65_534;
let ws: string;
let fs: WorkspaceFs;
let mounted: string[];

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "mounts-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 64 * 1024 * 1024 });
  mounted = [];
});

afterEach(() => {
  for (const path of mounted) execFileSync("umount", [path]);
  rmSync(ws, { recursive: true, force: true });
});

/** Mounts a small file system at a new folder of the workspace. */
function mount(context: TestContext, name: string, size: string, more = ""): string {
  const path = join(ws, name);
  mkdirSync(path);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}${more}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    context.skip("file systems cannot be mounted here");
  }
  mounted.push(path);
  return path;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error) => error.code,
  );
}

describe("a move to another file system", () => {
  it("takes files with mode and times, both ways", async (context) => {
    mount(context, "other", "8m");
    writeFileSync(join(ws, "a.bin"), Buffer.alloc(700_000, 7));
    chmodSync(join(ws, "a.bin"), 0o750);
    utimesSync(join(ws, "a.bin"), 1_000_000, 1_000_000);
    await fs.move("a.bin", "other/deep/b.bin");
    expect(existsSync(join(ws, "a.bin"))).toBe(false);
    const stat = statSync(join(ws, "other/deep/b.bin"));
    expect([stat.size, stat.mode & 0o777, stat.mtimeMs]).toEqual([700_000, 0o750, 1_000_000_000]);
    writeFileSync(join(ws, "c.bin"), "old");
    await fs.move("other/deep/b.bin", "c.bin", true);
    expect(readFileSync(join(ws, "c.bin")).equals(Buffer.alloc(700_000, 7))).toBe(true);
    expect(readdirSync(join(ws, "other/deep"))).toEqual([]);
  });

  it("takes whole folders, links as they are", async (context) => {
    mount(context, "other", "8m");
    mkdirSync(join(ws, "tree/sub"), { recursive: true });
    writeFileSync(join(ws, "tree/sub/file"), "x");
    symlinkSync("/etc/passwd", join(ws, "tree/link"));
    await fs.move("tree", "other/tree");
    expect(existsSync(join(ws, "tree"))).toBe(false);
    expect(readFileSync(join(ws, "other/tree/sub/file"), "utf8")).toBe("x");
    expect(readlinkSync(join(ws, "other/tree/link"))).toBe("/etc/passwd");
    expect(readdirSync(join(ws, "other"))).toEqual(["tree"]);
  });

  it("keeps the source and leaves nothing when the disk gets full or something cannot be copied", async (context) => {
    mount(context, "other", "1m");
    mkdirSync(join(ws, "big"));
    writeFileSync(join(ws, "big/a"), Buffer.alloc(600_000));
    writeFileSync(join(ws, "big/b"), Buffer.alloc(900_000));
    expect(await codeOf(fs.move("big", "other/big"))).toBe("LIMIT_REACHED");
    expect(readdirSync(join(ws, "big"))).toEqual(["a", "b"]);
    mkdirSync(join(ws, "odd"));
    execFileSync("mkfifo", [join(ws, "odd/fifo")]);
    expect(await codeOf(fs.move("odd", "other/odd"))).toBe("NOT_A_FILE");
    expect(lstatSync(join(ws, "odd/fifo")).isFIFO()).toBe(true);
    let deep = join(ws, "deep");
    for (let level = 0; level < 260; level++) deep = join(deep, "d");
    mkdirSync(deep, { recursive: true });
    expect(await codeOf(fs.move("deep", "other/deep"))).toBe("LIMIT_REACHED");
    expect(existsSync(deep)).toBe(true);
    expect(readdirSync(join(ws, "other"))).toEqual([]);
  });
});

describe("a full disk", () => {
  it("fails a write or an edit cleanly and keeps the old content", async (context) => {
    mount(context, "small", "1m");
    await fs.write("small/file", Buffer.from("old"));
    expect(await codeOf(fs.write("small/file", Buffer.alloc(3_000_000)))).toBe("LIMIT_REACHED");
    expect(await codeOf(fs.write("small/new/file", Buffer.alloc(3_000_000)))).toBe("LIMIT_REACHED");
    const grown = { path: "small/file", old_string: "old", new_string: "x".repeat(2_000_000) };
    expect(await codeOf(fs.edit(grown))).toBe("LIMIT_REACHED");
    expect(readFileSync(join(ws, "small/file"), "utf8")).toBe("old");
    expect(readdirSync(join(ws, "small"))).toEqual(["file"]);
    await fs.write("small/file", Buffer.alloc(500_000));
    expect(statSync(join(ws, "small/file")).size).toBe(500_000);
  });

  it("has no room for folders and new files either, and says so", async (context) => {
    mount(context, "small", "1m", ",nr_inodes=3");
    await fs.mkdir("small/a");
    await fs.write("small/b", Buffer.from("old"));
    expect(await codeOf(fs.mkdir("small/c"))).toBe("LIMIT_REACHED");
    expect(await codeOf(fs.mkdir("small/c/d", true))).toBe("LIMIT_REACHED");
    expect(await codeOf(fs.write("small/b", Buffer.from("new")))).toBe("LIMIT_REACHED");
    expect(readFileSync(join(ws, "small/b"), "utf8")).toBe("old");
    expect(readdirSync(join(ws, "small"))).toEqual(["a", "b"]);
  });

  it("is no other error than a quota that is used up", async (context) => {
    mount(context, "limited", "8m", ",usrquota,usrquota_block_hardlimit=256k");
    const { geteuid, seteuid } = process;
    if (geteuid?.() === 0 && seteuid) {
      // Quotas do not bind root.
      for (const path of [ws, join(ws, "limited")]) chmodSync(path, 0o777);
      seteuid(NOBODY);
      onTestFinished(() => seteuid(0));
    }
    await fs.write("limited/file", Buffer.from("old"));
    expect(await codeOf(fs.write("limited/file", Buffer.alloc(1_000_000)))).toBe("LIMIT_REACHED");
    expect(readFileSync(join(ws, "limited/file"), "utf8")).toBe("old");
    expect(readdirSync(join(ws, "limited"))).toEqual(["file"]);
  });

  it("does not hide that a mount point cannot be deleted", async (context) => {
    mount(context, "small", "1m");
    expect(await codeOf(fs.remove("small", true))).toBe("FORBIDDEN");
    expect(await codeOf(fs.move("small", "elsewhere"))).toBe("FORBIDDEN");
  });

  it("and a read-only file system are told apart", async (context) => {
    const path = mount(context, "frozen", "1m");
    writeFileSync(join(path, "file"), "x");
    execFileSync("mount", ["-o", "remount,ro", path]);
    expect(await codeOf(fs.write("frozen/file", Buffer.from("y")))).toBe("FORBIDDEN");
    expect(await codeOf(fs.remove("frozen/file"))).toBe("FORBIDDEN");
    expect(await codeOf(fs.mkdir("frozen/x", true))).toBe("FORBIDDEN");
  });
});
