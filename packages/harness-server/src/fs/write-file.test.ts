import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "write-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 40 * 1024 * 1024 });
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

const sha = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const failing = (code: string) => ({ code });

describe("write", () => {
  it("makes folders, answers hash and size, and takes chunks of any kind", async () => {
    async function* chunks() {
      yield Buffer.from("one ");
      yield new Uint8Array();
      yield Buffer.from("two");
    }
    expect(await fs.write("a/b/c.txt", chunks())).toEqual({ sha: sha("one two"), size: 7 });
    expect(readFileSync(join(ws, "a/b/c.txt"), "utf8")).toBe("one two");
    expect(await fs.write("a/b/c.txt", new Uint8Array())).toEqual({ sha: sha(""), size: 0 });
    expect(readdirSync(join(ws, "a/b"))).toEqual(["c.txt"]);
  });

  it("refuses what is no place for a file", async () => {
    mkdirSync(join(ws, "dir"));
    writeFileSync(join(ws, "file"), "x");
    await expect(fs.write("dir", Buffer.from("x"))).rejects.toMatchObject(failing("NOT_A_FILE"));
    await expect(fs.write("file/x", Buffer.from("x"))).rejects.toMatchObject(failing("NOT_A_FILE"));
    expect(readFileSync(join(ws, "file"), "utf8")).toBe("x");
  });

  it("leaves nothing of a body that breaks off, not even its folders", async () => {
    writeFileSync(join(ws, "old"), "old");
    async function* broken() {
      yield Buffer.alloc(100_000);
      throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    }
    for (const path of ["old", "new/deep/file"]) {
      await expect(fs.write(path, broken())).rejects.toMatchObject(failing("VALIDATION"));
    }
    await expect(fs.write("short", Buffer.from("abc"), { size: 10 })).rejects.toMatchObject(failing("VALIDATION"));
    expect(readdirSync(ws)).toEqual(["old"]);
    expect(readFileSync(join(ws, "old"), "utf8")).toBe("old");
  });

  it("refuses more than the limit: announced before reading, unannounced as soon as it shows", async () => {
    let pulled = 0;
    async function* endless() {
      for (;;) {
        pulled++;
        yield Buffer.alloc(1024 * 1024);
      }
    }
    const size = 41 * 1024 * 1024;
    await expect(fs.write("x", endless(), { size })).rejects.toMatchObject(failing("PAYLOAD_TOO_LARGE"));
    expect(pulled).toBe(0);
    await expect(fs.write("x", endless())).rejects.toMatchObject(failing("PAYLOAD_TOO_LARGE"));
    expect(pulled).toBe(41);
    expect(readdirSync(ws)).toEqual([]);
  });

  it("survives that a target folder appears, vanishes or becomes a link while the body arrives", async () => {
    mkdirSync(join(ws, "gone"));
    async function* meanwhile(change: () => void) {
      yield Buffer.from("con");
      change();
      yield Buffer.from("tent");
    }
    await fs.write(
      "new/file",
      meanwhile(() => mkdirSync(join(ws, "new"))),
    );
    expect(readFileSync(join(ws, "new/file"), "utf8")).toBe("content");
    const vanishing = meanwhile(() => rmSync(join(ws, "gone"), { recursive: true }));
    await expect(fs.write("gone/file", vanishing)).rejects.toMatchObject(failing("NOT_FOUND"));
    const filled = meanwhile(() => mkdirSync(join(ws, "target")));
    await expect(fs.write("target", filled)).rejects.toMatchObject(failing("NOT_A_FILE"));
    expect(readdirSync(ws, { recursive: true }).filter((name) => String(name).includes(".ca-"))).toEqual([]);
  });

  it("lets concurrent writers of one path win one after the other, never mixed", async () => {
    const bodies = Array.from({ length: 12 }, (_, i) => Buffer.alloc(300_000, 65 + i));
    async function* slow(body: Buffer) {
      for (let at = 0; at < body.length; at += 50_000) {
        await new Promise((resolve) => setImmediate(resolve));
        yield body.subarray(at, at + 50_000);
      }
    }
    await Promise.all(bodies.map((body) => fs.write("deep/one", slow(body))));
    const final = readFileSync(join(ws, "deep/one"));
    expect(bodies.some((body) => body.equals(final))).toBe(true);
    expect(readdirSync(join(ws, "deep"))).toEqual(["one"]);
  });
});

describe("preconditions", () => {
  it("If-None-Match: * only creates, and only one of many", async () => {
    const create = () => fs.write("d/lock", Buffer.from("x"), { ifNoneMatch: "*" });
    const results = await Promise.allSettled(Array.from({ length: 10 }, create));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    await expect(create()).rejects.toMatchObject(failing("PRECONDITION_FAILED"));
  });

  it("If-Match only replaces what it names", async () => {
    await expect(fs.write("f", Buffer.from("x"), { ifMatch: "*" })).rejects.toMatchObject(
      failing("PRECONDITION_FAILED"),
    );
    expect(existsSync(join(ws, "f"))).toBe(false);
    const { sha: first } = await fs.write("f", Buffer.from("1"));
    for (const ifMatch of ['"nope"', `W/"${first}"`, `"${sha("2")}"`]) {
      await expect(fs.write("f", Buffer.from("2"), { ifMatch })).rejects.toMatchObject(failing("PRECONDITION_FAILED"));
    }
    await fs.write("f", Buffer.from("2"), { ifMatch: `"nope", "${first}"` });
    await fs.write("f", Buffer.from("3"), { ifMatch: sha("2") });
    await fs.write("f", Buffer.from("4"), { ifMatch: "*" });
    await expect(fs.write("f", Buffer.from("5"), { ifMatch: "" })).rejects.toMatchObject(failing("VALIDATION"));
    await expect(fs.write("f", Buffer.from("5"), { ifNoneMatch: `W/"${sha("4")}"` })).rejects.toMatchObject(
      failing("PRECONDITION_FAILED"),
    );
    expect(readFileSync(join(ws, "f"), "utf8")).toBe("4");
  });

  it("lets one of several writers with the same If-Match win, however late its body ends", async () => {
    const { sha: first } = await fs.write("f", Buffer.from("0"));
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => fs.write("f", Buffer.from(`writer ${i}`), { ifMatch: first })),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    async function* late() {
      yield Buffer.from("late");
      writeFileSync(join(ws, "f"), "changed by the agent");
    }
    const current = sha(readFileSync(join(ws, "f")));
    await expect(fs.write("f", late(), { ifMatch: current })).rejects.toMatchObject(failing("PRECONDITION_FAILED"));
    expect(readFileSync(join(ws, "f"), "utf8")).toBe("changed by the agent");
  });

  it("take the hash of a write also for large files, whose own tag is another", async () => {
    const { sha: large } = await fs.write("big", Buffer.alloc(17 * 1024 * 1024, 1));
    await using file = await fs.open("big");
    const tag = await file.tag();
    expect(tag).not.toBe(large);
    expect(await file.hasTag(tag)).toBe(true);
    expect(await file.hasTag(large)).toBe(true);
    expect(await file.hasTag(sha("other"))).toBe(false);
    await fs.write("big", Buffer.from("x"), { ifMatch: tag });
    await expect(fs.write("big", Buffer.from("y"), { ifMatch: tag })).rejects.toMatchObject(
      failing("PRECONDITION_FAILED"),
    );
  });
});
