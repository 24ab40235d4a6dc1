import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;
let socket: Server;

beforeEach(async () => {
  ws = mkdtempSync(join(tmpdir(), "special-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
  execFileSync("mkfifo", [join(ws, "fifo")]);
  socket = createServer();
  await new Promise<void>((resolve) => socket.listen(join(ws, "socket"), resolve));
});

afterEach(() => {
  socket.close();
  rmSync(ws, { recursive: true, force: true });
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error) => error.code,
  );
}

async function read(path: string): Promise<string> {
  const file = await fs.open(path);
  return new Response(file.stream(0, file.size)).text();
}

describe.each(["fifo", "socket"])("a %s", (path) => {
  it("is never opened, written or edited, and nobody waits for it", async () => {
    expect(await codeOf(fs.open(path))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.write(path, Buffer.from("x")))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.write(`${path}/x`, Buffer.from("x")))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.edit({ path, old_string: "a", new_string: "b" }))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.mkdir(path, true))).toBe("NOT_EMPTY");
    expect(await codeOf(fs.mkdir(`${path}/x`, true))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.tree({ path }))).toBe("NOT_FOUND");
    await fs.write("plain", Buffer.from("x"));
    expect(await codeOf(fs.move("plain", path, true))).toBe("NOT_EMPTY");
    expect(lstatSync(join(ws, path)).isFile()).toBe(false);
  });

  it("is listed, moved and deleted", async () => {
    const { entries } = await fs.tree({});
    expect(entries.find((entry) => entry.path === path)?.type).toBe("other");
    await fs.move(path, "moved");
    expect(existsSync(join(ws, path))).toBe(false);
    await fs.remove("moved");
    expect(existsSync(join(ws, "moved"))).toBe(false);
  });
});

describe("a device", () => {
  it.for([
    ["character", "c", "1", "5"],
    ["block", "b", "7", "250"],
  ])("(%s) is listed, moved and deleted, never opened or written", async ([, ...numbers], context) => {
    try {
      execFileSync("mknod", [join(ws, "zero"), ...numbers], { stdio: "ignore" });
    } catch {
      context.skip("device nodes cannot be made here");
    }
    expect(await codeOf(fs.open("zero"))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.write("zero", Buffer.from("x")))).toBe("NOT_A_FILE");
    expect(await codeOf(fs.edit({ path: "zero", old_string: "a", new_string: "b" }))).toBe("NOT_A_FILE");
    symlinkSync("zero", join(ws, "to-zero"));
    expect(await codeOf(fs.open("to-zero"))).toBe("NOT_A_FILE");
    const { entries } = await fs.tree({});
    expect(entries.find((entry) => entry.path === "zero")?.type).toBe("other");
    await fs.move("zero", "moved");
    const stat = lstatSync(join(ws, "moved"));
    expect(stat.isCharacterDevice() || stat.isBlockDevice()).toBe(true);
    await fs.remove("moved");
    expect(existsSync(join(ws, "moved"))).toBe(false);
  });
});

describe("names", () => {
  it.each(["..a", "...", "....", ".git", "..\\x", "a\nb", " ", "~", "-rf", "é😀", "%2e%2e", "x".repeat(255)])(
    "like %j are ordinary",
    async (name) => {
      await fs.write(`${name}/${name}`, Buffer.from(name));
      expect(readFileSync(join(ws, name, name), "utf8")).toBe(name);
      expect(await read(`${name}/${name}`)).toBe(name);
      const { entries } = await fs.tree({ path: name });
      expect(entries.map((entry) => entry.path)).toEqual([`${name}/${name}`]);
      await fs.remove(name, true);
      expect(existsSync(join(ws, name))).toBe(false);
    },
  );

  it("that are not UTF-8 are shown, never addressed, and no obstacle", async () => {
    const inWs = (text: string) => Buffer.from(`${ws}/${text}`, "latin1");
    writeFileSync(inWs("a\xff"), "raw");
    writeFileSync(inWs("a\xfe"), "raw");
    mkdirSync(inWs("d\xff"));
    writeFileSync(inWs("d\xff/inner"), "raw");
    writeFileSync(join(ws, "a\ufffd"), "another");
    const { entries } = await fs.tree({ depth: 5 });
    expect(entries.map(({ path, type }) => [path, type])).toEqual([
      ["a\ufffd", "file"],
      ["a\ufffd", "file"],
      ["a\ufffd", "file"],
      ["d\ufffd", "dir"],
      ["fifo", "other"],
      ["socket", "other"],
    ]);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await fs.tree({ depth: 5, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.entries.map((entry) => entry.path));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(entries.map((entry) => entry.path));
    expect(await codeOf(fs.open("a\ufffd"))).toBe("VALIDATION");
    expect(await codeOf(fs.remove("a\ufffd"))).toBe("VALIDATION");
    expect(await codeOf(fs.write("a\udcff", Buffer.from("x")))).toBe("VALIDATION");
    expect(readdirSync(ws)).toHaveLength(6);

    mkdirSync(join(ws, "box"));
    execFileSync("sh", ["-c", "mv a* d* box/"], { cwd: ws });
    await fs.move("box", "crate");
    await fs.remove("crate", true);
    expect(readdirSync(ws).sort()).toEqual(["fifo", "socket"]);
  });

  it("of 4096 bytes in a path work for every operation", async () => {
    const folder = `${"n".repeat(200)}/`.repeat(20);
    const path = `${folder}${"f".repeat(4096 - folder.length)}`;
    expect(Buffer.byteLength(path)).toBe(4096);
    await fs.write(path, Buffer.from("deep"));
    expect(await read(path)).toBe("deep");
    await fs.edit({ path, old_string: "deep", new_string: "deeper" });
    const { entries } = await fs.tree({ path: folder });
    expect(entries.map((entry) => entry.path)).toEqual([path]);
    await fs.move(path, "shallow");
    expect(await read("shallow")).toBe("deeper");
    await fs.move("shallow", path);
    await fs.remove(path);
    expect(await codeOf(fs.open(path))).toBe("NOT_FOUND");
    expect(await codeOf(fs.open(`${path}x`))).toBe("VALIDATION");
    await fs.remove("n".repeat(200), true);
  });
});

describe("hard links and permissions", () => {
  it("a write through a hard link changes the name in the workspace, not the other one", async () => {
    const other = mkdtempSync(join(tmpdir(), "other-"));
    writeFileSync(join(other, "shared"), "original");
    execFileSync("ln", [join(other, "shared"), join(ws, "shared")]);
    await fs.write("shared", Buffer.from("changed"));
    await fs.edit({ path: "shared", old_string: "changed", new_string: "edited" });
    expect(readFileSync(join(other, "shared"), "utf8")).toBe("original");
    expect(await read("shared")).toBe("edited");
    rmSync(other, { recursive: true });
  });

  it("the mode of a replaced file is kept without set-id bits, a new one gets 0644", async () => {
    writeFileSync(join(ws, "run.sh"), "#!/bin/sh\n");
    chmodSync(join(ws, "run.sh"), 0o4755);
    await fs.write("run.sh", Buffer.from("#!/bin/sh\nexit\n"));
    expect(statSync(join(ws, "run.sh")).mode & 0o7777).toBe(0o755);
    chmodSync(join(ws, "run.sh"), 0o600);
    await fs.edit({ path: "run.sh", old_string: "exit", new_string: "exit 1" });
    expect(statSync(join(ws, "run.sh")).mode & 0o7777).toBe(0o600);
    await fs.write("new", Buffer.from("x"));
    expect(statSync(join(ws, "new")).mode & 0o7777).toBe(0o644);
  });
});
