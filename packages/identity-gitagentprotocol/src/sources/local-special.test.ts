import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Budget } from "../files/budget.ts";
import { copyTree } from "../files/copy-tree.ts";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { loadInto, noticeCodes, TINY, wireErrorOf } from "../fixtures/load.ts";
import { NoticeList } from "../model/notices.ts";

const signal = new AbortController().signal;

describe("a local source with what is no file", { timeout: 60_000 }, () => {
  it("is loaded without waiting for pipes, sockets and devices", async () => {
    await using test = await testFolders();
    const source = join(test.root, "source");
    await writeFiles(source, { ...TINY, "sub/kept.txt": "kept" });
    execFileSync("mkfifo", [join(source, "pipe"), join(source, "sub/.gitignore")]);
    const server = createServer().listen(join(source, "socket"));
    const withDevice = process.getuid?.() === 0;
    if (withDevice) execFileSync("mknod", [join(source, "device"), "c", "1", "5"]);
    try {
      const result = await loadInto(test, { type: "local", path: source });
      expect(noticeCodes(result)).toEqual(["gap.source.special_file"]);
      expect(result.notices.map(({ path }) => path)).toEqual([
        ...(withDevice ? ["device"] : []),
        "pipe",
        "socket",
        "sub/.gitignore",
      ]);
      expect(await readTree(test.dir)).toEqual({ ...TINY, sub: "<folder>", "sub/kept.txt": "kept" });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.each(["agent.yaml", "SOUL.md"])("does not wait for %s when that is a pipe", async (name) => {
    await using test = await testFolders();
    const source = join(test.root, "source");
    await mkdir(source);
    for (const [path, text] of Object.entries(TINY)) if (path !== name) await writeFile(join(source, path), text);
    execFileSync("mkfifo", [join(source, name)]);
    const error = await wireErrorOf(loadInto(test, { type: "local", path: source }));
    expect(error.code).toBe("IDENTITY_INVALID");
  });

  it.skipIf(process.platform !== "linux").each(["/proc", "/proc/self", "/sys", "/dev"])(
    "comes to an end when it is %s",
    async (path) => {
      await using test = await testFolders();
      const limits = { maxFiles: 2_000, maxBytes: 8 * 1024 ** 2 };
      const error = await wireErrorOf(loadInto(test, { type: "local", path }, { limits }));
      expect(error.code).toMatch(/^(?:IDENTITY_INVALID|SOURCE_UNREACHABLE)$/);
      expect(await readTree(test.dir)).toEqual({});
    },
  );

  it.skipIf(process.platform !== "linux")("counts what it reads, not what a file claims to hold", async () => {
    await using test = await testFolders();
    const copy = async (maxBytes: number): Promise<void> => {
      const budget = new Budget({ maxFiles: 10_000, maxBytes, timeoutMs: 60_000 });
      const common = { leaveOut: new Set<string>(), gitignore: false, notices: new NoticeList(), signal };
      await copyTree({ from: "/proc/self/net", to: test.dir, budget, ...common });
    };
    await expect(copy(10)).rejects.toThrow(/is larger than 10 bytes/);
  });
});
