import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BlockWriter } from "./block-writer.ts";

it.each([[[]], [[0]], [[1, 2, 3]], [[262_144]], [[262_143, 2, 262_144]], [[1_000_000, 5, 300_000]]])(
  "writes chunks of %j bytes in order, though the caller reuses its buffer",
  async (sizes) => {
    const dir = mkdtempSync(join(tmpdir(), "blocks-"));
    const file = await open(join(dir, "f"), "w");
    const writer = new BlockWriter(file);
    const reused = Buffer.alloc(1_000_000);
    const expected: Buffer[] = [];
    for (const [index, size] of sizes.entries()) {
      const chunk = reused.subarray(0, size).fill(index + 1);
      expected.push(Buffer.from(chunk));
      await writer.write(chunk);
    }
    await writer.end();
    await file.close();
    expect(readFileSync(join(dir, "f")).equals(Buffer.concat(expected))).toBe(true);
    rmSync(dir, { recursive: true });
  },
);

it("reports the failure of a block, at the latest at the end", async () => {
  const file = await open("/dev/full", "w");
  const writer = new BlockWriter(file);
  const all = async () => {
    for (let i = 0; i < 10; i++) await writer.write(Buffer.alloc(200_000));
    await writer.end();
  };
  await expect(all()).rejects.toMatchObject({ code: "ENOSPC" });
  await file.close();
});
