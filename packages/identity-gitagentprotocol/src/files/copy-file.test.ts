import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testFolders } from "../fixtures/folders.ts";
import { NoticeList } from "../model/notices.ts";
import { Budget } from "./budget.ts";
import { copyFile } from "./copy-file.ts";

const MIB = 1024 * 1024;
const signal = new AbortController().signal;
const request = (maxBytes: number) => ({
  budget: new Budget({ maxFiles: 10, maxBytes, timeoutMs: 1 }),
  notices: new NoticeList(),
  signal,
});

describe("copyFile", { timeout: 60_000 }, () => {
  it.each([0, 1, 4_095, MIB - 1, MIB, MIB + 1, 3 * MIB + 17])(
    "copies %d bytes and the permission bits",
    async (size) => {
      await using folders = await testFolders();
      const [from, to] = [join(folders.root, "from"), join(folders.root, "to")];
      const content = Buffer.alloc(size, "0123456789abcdef-");
      await writeFile(from, content);
      await chmod(from, 0o4755);
      expect(await copyFile(from, to, "from", request(size))).toBe(true);
      expect((await readFile(to)).equals(content)).toBe(true);
      expect((await stat(to)).mode & 0o7777).toBe(0o755);
    },
  );

  it("passes no limit, and leaves nothing of what is too large", async () => {
    await using folders = await testFolders();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(3_000), fc.nat(3_000), async (size, limit) => {
        run += 1;
        const [from, to] = [join(folders.root, `from-${run}`), join(folders.root, `to-${run}`)];
        await writeFile(from, Buffer.alloc(size));
        const copied = await copyFile(from, to, "from", request(limit)).catch((error: unknown) => error);
        if (size <= limit) {
          expect((await stat(to)).size).toBe(size);
        } else {
          expect(copied).toMatchObject({ name: "LimitExceeded" });
          await expect(stat(to)).rejects.toThrow(/ENOENT/);
        }
      }),
      { numRuns: 60, examples: [[0, 0]] },
    );
  });

  it.skipIf(process.platform !== "linux")("reads files that say they are empty", async () => {
    await using folders = await testFolders();
    const to = join(folders.root, "to");
    expect(await copyFile("/proc/self/status", to, "status", request(MIB))).toBe(true);
    expect(await readFile(to, "utf8")).toMatch(/^Name:/);
    const endless = copyFile("/proc/self/pagemap", `${to}2`, "pagemap", request(MIB));
    await expect(endless).rejects.toThrow(/is larger than/);
    await expect(stat(`${to}2`)).rejects.toThrow(/ENOENT/);
  });
});
