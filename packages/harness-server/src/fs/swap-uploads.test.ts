import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { WireError } from "@computeragent/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { swapping } from "./swapper.test-support.ts";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

const ROUNDS = 60;
let base: string;
let ws: string;
let fs: WorkspaceFs;
const mounted: string[] = [];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "swap-up-"));
  ws = join(base, "ws");
  mkdirSync(join(base, "outside/sub"), { recursive: true });
  mkdirSync(join(ws, "d/sub"), { recursive: true });
  for (const file of ["outside/file.txt", "outside/sub/file.txt"]) writeFileSync(join(base, file), "secret outside");
  for (const file of ["d/file.txt", "d/sub/file.txt", "f"]) writeFileSync(join(ws, file), "text inside");
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
});

afterEach(() => {
  for (const path of mounted.splice(0)) execFileSync("umount", [path]);
  rmSync(base, { recursive: true, force: true });
});

/** A body that takes its time, so that what it is for is swapped meanwhile. */
async function* slow() {
  for (const part of ["text ", "inside"]) {
    for (let n = 0; n < 20; n++) await setImmediate();
    yield Buffer.from(part);
  }
}

/** How often each ended how; nothing but our own codes, and none that says it was our fault. */
async function tally(work: (round: number) => Promise<unknown>): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const code = await work(round).then(
      () => "ok",
      (error) => {
        if (!WireError.isInstance(error)) throw error;
        return error.code;
      },
    );
    seen.set(code, (seen.get(code) ?? 0) + 1);
  }
  expect(seen.get("INTERNAL")).toBeUndefined();
  return seen;
}

function untouched(): void {
  expect(readdirSync(base).sort()).toEqual(["outside", "ws"]);
  expect(readdirSync(join(base, "outside"), { recursive: true }).sort()).toEqual(["file.txt", "sub", "sub/file.txt"]);
  for (const file of ["file.txt", "sub/file.txt"]) {
    expect(readFileSync(join(base, "outside", file), "utf8")).toBe("secret outside");
  }
}

const hidden = () => readdirSync(ws, { recursive: true }).filter((name) => String(name).includes(".ca-"));

describe("while a folder is swapped for a link to outside", () => {
  it.each([
    ["into it", "d/file.txt"],
    ["deeper", "d/sub/file.txt"],
    ["to a new place in it", "d/new/deep/file.txt"],
  ])("an upload %s never lands there, and leaves no part of itself", async (_where, path) => {
    const swaps = await swapping({ ws, name: "d", target: join(base, "outside") }, async () => {
      await tally(() => fs.write(path, slow()));
    });
    expect(swaps).toBeGreaterThan(0);
    untouched();
    expect(hidden()).toEqual([]);
  });

  it("a question for a file never tells of one outside", async () => {
    const swaps = await swapping({ ws, name: "d", target: join(base, "outside") }, async () => {
      const seen = await tally(async () => {
        await using file = await fs.open("d/file.txt");
        expect(file.size).toBe("text inside".length);
      });
      expect(seen.get("ok")).toBeGreaterThan(0);
    });
    expect(swaps).toBeGreaterThan(0);
  });

  it("a move to another file system takes nothing from there and puts nothing there", async (context) => {
    mkdirSync(join(ws, "other"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", join(ws, "other")], { stdio: "ignore" });
    } catch {
      context.skip("file systems cannot be mounted here");
    }
    mounted.push(join(ws, "other"));
    const swaps = await swapping({ ws, name: "d", target: join(base, "outside") }, async () => {
      await tally(async (round) => {
        await fs.write("d/sub/file.txt", Buffer.from("text inside")).catch(() => {});
        await fs.move("d/sub", `other/s${round}`);
        const moved = readFileSync(join(ws, `other/s${round}/file.txt`), "utf8");
        expect(moved).toBe("text inside");
      });
      await tally((round) => fs.move(`other/s${round}`, `d/back${round}`));
    });
    expect(swaps).toBeGreaterThan(0);
    untouched();
    expect(hidden()).toEqual([]);
  });
});

describe("while a file is swapped", () => {
  it("for a link to outside, an upload over it replaces the name in the workspace alone", async () => {
    await swapping({ ws, name: "f", target: join(base, "outside/file.txt") }, async () => {
      await tally(() => fs.write("f", slow()));
      await tally(() => fs.mkdir("f", true));
    });
    untouched();
    expect(hidden()).toEqual([]);
  });

  it("for a FIFO, nobody waits for a writer or a reader of it", async () => {
    const swaps = await swapping({ ws, name: "f", target: "", kind: "fifo" }, async () => {
      await tally(async () => {
        const file = await fs.open("f");
        await new Response(file.stream(0, file.size)).text();
      });
      await tally(() => fs.edit({ path: "f", old_string: "text", new_string: "TEXT" }));
      await tally(() => fs.tree({}));
    });
    expect(swaps).toBeGreaterThan(0);
  });
});

describe("a link that appears where an upload is going", () => {
  it.each([
    ["to a file outside", "outside/file.txt"],
    ["dangling, to outside", "outside/new.txt"],
  ])("%s is refused at the end, and its target is left alone", async (_what, target) => {
    async function* meanwhile() {
      yield Buffer.from("con");
      symlinkSync(join(base, target), join(ws, "new"));
      yield Buffer.from("tent");
    }
    await expect(fs.write("new", meanwhile())).rejects.toMatchObject({ code: "PATH_ESCAPE" });
    untouched();
    expect(existsSync(join(base, "outside/new.txt"))).toBe(false);
    expect(hidden()).toEqual([]);
    expect(statSync(join(ws, "f")).size).toBe("text inside".length);
  });
});
