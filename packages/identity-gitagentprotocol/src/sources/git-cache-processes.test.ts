import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readTree, testFolders } from "../fixtures/folders.ts";
import { loadInto, noticeCodes, TINY } from "../fixtures/load.ts";
import { loadInProcess } from "../fixtures/load-process.ts";
import { testOrigin } from "../fixtures/origin.ts";

const MANY = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`data/${index}`, `${index}`]));

describe("a cache of several processes", { timeout: 120_000 }, () => {
  it("serves those that begin at once, and holds one entry in the end", async () => {
    await using test = await testOrigin();
    const loads = await Promise.all(
      ["one", "two"].map(async () => {
        await using folders = await testFolders();
        const result = await loadInProcess(folders, { type: "git", url: test.url }, test.cacheDir).result;
        return { result, files: await readTree(folders.dir) };
      }),
    );
    for (const { result, files } of loads) {
      expect(result.info.sha).toBe(test.sha);
      expect(result.notices).toEqual([]);
      expect(files).toEqual(TINY);
    }
    expect(await readdir(test.cacheDir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it("has nothing of a writer that is killed, and the next writer clears away what it left", async () => {
    await using test = await testOrigin({ ...TINY, ...MANY });
    await mkdir(test.cacheDir, { recursive: true });
    await using folders = await testFolders();
    const { child } = loadInProcess(folders, { type: "git", url: test.url }, test.cacheDir);
    while ((await readdir(test.cacheDir)).length === 0) expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await readdir(test.cacheDir)).toEqual([expect.stringMatching(/^tmp-/)]);

    await using fresh = await testFolders();
    const result = await loadInto(fresh, { type: "git", url: test.url, ref: test.sha }, { cacheDir: test.cacheDir });
    expect(noticeCodes(result)).toEqual([]);
    expect(Object.keys(await readTree(fresh.dir)).length).toBe(2_003);
    expect(await readdir(test.cacheDir)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});
