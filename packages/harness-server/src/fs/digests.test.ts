import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Digests, HASH_LIMIT, sha256 } from "./digests.ts";

it("keeps the hash of a settled file and still sees the next change, whatever its size and time", async () => {
  const dir = mkdtempSync(join(tmpdir(), "digests-"));
  const path = join(dir, "f");
  const digests = new Digests();
  const tag = async () => {
    await using file = await open(path);
    return await digests.tag(file, await file.stat({ bigint: true }));
  };
  writeFileSync(path, "one");
  utimesSync(path, 1000, 1000);
  await sleep(2100);
  expect([await tag(), await tag()]).toEqual([sha256(Buffer.from("one")), sha256(Buffer.from("one"))]);
  writeFileSync(path, "two");
  utimesSync(path, 1000, 1000);
  expect(await tag()).toBe(sha256(Buffer.from("two")));
  rmSync(dir, { recursive: true });
});

it("tags a large file without reading it, and differently after a change", async () => {
  const dir = mkdtempSync(join(tmpdir(), "digests-"));
  const digests = new Digests();
  await using file = await open(join(dir, "f"), "w+");
  await file.truncate(HASH_LIMIT + 1);
  const first = await file.stat({ bigint: true });
  const tag = await digests.tag(file, first);
  expect(tag).not.toMatch(/^[0-9a-f]{64}$/);
  await file.truncate(HASH_LIMIT + 2);
  const second = await file.stat({ bigint: true });
  expect(await digests.has(tag, file, second)).toBe(false);
  expect(await digests.has(await digests.tag(file, second), file, second)).toBe(true);
  expect(await digests.has(await digests.sha(file, second), file, second)).toBe(true);
  rmSync(dir, { recursive: true });
});
