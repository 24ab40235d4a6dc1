import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTree, testFolders, writeFiles } from "../fixtures/folders.ts";
import { NoticeList } from "../model/notices.ts";
import { Budget } from "./budget.ts";
import { copyTree } from "./copy-tree.ts";

const LIMITS = { maxFiles: 1_000, maxBytes: 1_000_000, timeoutMs: 60_000 };
const signal = new AbortController().signal;
describe("the rules of .gitignore", { timeout: 120_000 }, () => {
  it("may be any bytes at all", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await using test = await testFolders();
        const from = join(test.root, "from");
        await writeFiles(from, { "kept/a": "" });
        execFileSync("tee", [join(from, ".gitignore")], { input: bytes, stdio: ["pipe", "ignore", "ignore"] });
        const common = { leaveOut: new Set<string>(), gitignore: true, notices: new NoticeList(), signal };
        await copyTree({ from, to: test.dir, budget: new Budget(LIMITS), ...common });
        expect(
          Object.keys(await readTree(test.dir)).filter((path) => !/^(?:\.gitignore|kept(?:\/a)?)$/.test(path)),
        ).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
