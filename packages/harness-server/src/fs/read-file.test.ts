import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

const MIB = 1024 * 1024;
let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "read-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1024 * MIB });
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

const sha = (data: Buffer) => createHash("sha256").update(data).digest("hex");
/** Open descriptors of what lies in the workspace: Node may open others of its own at any time. */
const descriptors = () => readdirSync("/proc/self/fd").filter((fd) => linkOf(fd).startsWith(ws)).length;

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

describe("an opened file", () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 400_000])("of %i bytes has its head, tag and every range", async (size) => {
    const data = Buffer.from(Array.from({ length: size }, (_, i) => (i * 31) % 251));
    writeFileSync(join(ws, "f.bin"), data);
    const ranges = [
      [0, size],
      [Math.floor(size / 3), Math.floor(size / 2)],
      [Math.max(0, size - 1), size],
    ] as const;
    for (const [start, end] of ranges) {
      const file = await fs.open("f.bin");
      expect([file.name, file.size, file.head.length]).toEqual(["f.bin", size, Math.min(size, 65_536)]);
      expect(await file.tag()).toBe(sha(data));
      expect(await file.hasTag(sha(data))).toBe(true);
      const bytes = Buffer.from(await new Response(file.stream(start, end)).arrayBuffer());
      expect(bytes.equals(data.subarray(start, end))).toBe(true);
    }
    expect(descriptors()).toBe(0);
  });

  it("is the version that was opened, whatever happens to its name", async () => {
    writeFileSync(join(ws, "f"), "first");
    const file = await fs.open("f");
    await fs.write("f", Buffer.from("second"));
    expect(await new Response(file.stream(0, file.size)).text()).toBe("first");
    const again = await fs.open("f");
    renameSync(join(ws, "f"), join(ws, "g"));
    expect(await new Response(again.stream(0, again.size)).text()).toBe("second");
  });

  it("ends a stream with an error when it became shorter, and at its size when it grew", async () => {
    writeFileSync(join(ws, "f"), Buffer.alloc(300_000, "a"));
    const growing = await fs.open("f");
    appendFileSync(join(ws, "f"), "more");
    expect((await new Response(growing.stream(0, growing.size)).arrayBuffer()).byteLength).toBe(300_000);
    const shrinking = await fs.open("f");
    truncateSync(join(ws, "f"), 100_000);
    await expect(new Response(shrinking.stream(0, shrinking.size)).arrayBuffer()).rejects.toThrow("shorter");
    expect(descriptors()).toBe(0);
  });

  it("is closed when its stream is cancelled at any time", async () => {
    writeFileSync(join(ws, "f"), Buffer.alloc(2 * MIB));
    await (await fs.open("f")).stream(0, 2 * MIB).cancel();
    const reader = (await fs.open("f")).stream(0, 2 * MIB).getReader();
    await reader.read();
    const pending = reader.read();
    await reader.cancel();
    await pending;
    expect(descriptors()).toBe(0);
  });

  it("tells UTF-8 from other content, also across chunks", async () => {
    const text = Buffer.from(`x${"é".repeat(400_000)}`);
    writeFileSync(join(ws, "text"), text);
    writeFileSync(join(ws, "cut"), text.subarray(0, text.length - 1));
    writeFileSync(join(ws, "latin1"), Buffer.concat([text, Buffer.from([0xe9])]));
    for (const [name, expected] of [
      ["text", true],
      ["cut", false],
      ["latin1", false],
    ] as const) {
      await using file = await fs.open(name);
      expect(await file.isUtf8(), name).toBe(expected);
    }
  });

  it("has a tag that follows its content, also when size and modification time are put back", async () => {
    const path = join(ws, "f");
    const tags = new Set<string>();
    for (const fill of ["a", "b", "c"]) {
      writeFileSync(path, Buffer.alloc(200_000, fill));
      utimesSync(path, 1000, 1000);
      for (let i = 0; i < 2; i++) {
        await using file = await fs.open("f");
        tags.add(await file.tag());
      }
    }
    expect(tags.size).toBe(3);
  });
});

describe("every descriptor", () => {
  it("is closed after success and failure of every operation", async () => {
    writeFileSync(join(ws, "f"), "text");
    const all = async (path: string) => {
      const work = [
        fs.tree({ path, depth: 3 }),
        fs.open(path).then((file) => file.close()),
        fs.write(`${path}/w`, Buffer.from("x")),
        fs.write(path, Buffer.from("x"), { ifMatch: '"no"' }),
        fs.edit({ path, old_string: "no", new_string: "yes" }),
        fs.mkdir(`${path}/m`, true),
        fs.move(`${path}/m`, `${path}/n`),
        fs.move(path, `${path}/n`),
        fs.remove(`${path}/n`, true),
      ];
      await Promise.allSettled(work);
    };
    await all("warm");
    for (const path of ["", "f", "none/none", "dir", "../x", "f/x"]) await all(path);
    expect(descriptors()).toBe(0);
  });
});

describe("200 MB", () => {
  it("are written and read in bounded memory", async () => {
    const chunk = Buffer.alloc(64 * 1024, 7);
    const size = 200 * MIB;
    async function* upload(bytes: number) {
      for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
    }
    const download = async () => {
      const file = await fs.open("big");
      let total = 0;
      for await (const part of file.stream(0, file.size)) total += part.length;
      return total;
    };
    await fs.write("big", upload(16 * MIB));
    await download();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    expect((await fs.write("big", upload(size))).size).toBe(size);
    expect(await download()).toBe(size);
    clearInterval(watch);
    expect(peak - before).toBeLessThan(64 * MIB);
  }, 120_000);
});
