import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WireError } from "@computeragent/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { swapping } from "./swapper.test-support.ts";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

const ROUNDS = 150;
let base: string;
let ws: string;
let fs: WorkspaceFs;
let mode: number;
const seen = new Map<string, number>();

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "swap-"));
  ws = join(base, "ws");
  mkdirSync(join(base, "outside/sub"), { recursive: true });
  for (const file of ["file.txt", "sub/file.txt"]) writeFileSync(join(base, "outside", file), "secret outside");
  mode = statSync(join(base, "outside")).mode;
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function fresh(): void {
  rmSync(ws, { recursive: true, force: true });
  mkdirSync(join(ws, "d/sub"), { recursive: true });
  for (const file of ["d/file.txt", "d/sub/file.txt", "plain.txt"]) writeFileSync(join(ws, file), "text inside");
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
}

async function attempt(work: () => Promise<unknown>): Promise<void> {
  const code = await work().then(
    () => "ok",
    (error) => {
      if (!WireError.isInstance(error)) throw error;
      return error.code;
    },
  );
  seen.set(code, (seen.get(code) ?? 0) + 1);
}

async function read(path: string): Promise<void> {
  const file = await fs.open(path);
  const text = await new Response(file.stream(0, file.size)).text();
  expect(text).not.toContain("outside");
}

function untouched(): void {
  expect(readdirSync(base).sort()).toEqual(["outside", "ws"]);
  expect(readdirSync(join(base, "outside"), { recursive: true }).sort()).toEqual(["file.txt", "sub", "sub/file.txt"]);
  expect(statSync(join(base, "outside")).mode).toBe(mode);
  for (const file of ["file.txt", "sub/file.txt"]) {
    expect(readFileSync(join(base, "outside", file), "utf8")).toBe("secret outside");
  }
}

const DIR_OPERATIONS: Record<string, (round: number) => Promise<unknown>> = {
  read: () => read("d/file.txt"),
  "read deeper": () => read("d/sub/file.txt"),
  tree: async () => {
    const { entries } = await fs.tree({ depth: 3 });
    for (const entry of entries) if (entry.path.endsWith("file.txt")) expect(entry.size).toBe("text inside".length);
  },
  write: (round) => fs.write("d/file.txt", Buffer.from(`text inside ${round}`)),
  "write new": (round) => fs.write(`d/new-${round % 7}/x.txt`, Buffer.from("new")),
  edit: async () => {
    await fs.write("d/sub/file.txt", Buffer.from("text inside")).catch(() => {});
    await fs.edit({ path: "d/sub/file.txt", old_string: "inside", new_string: "secret" });
  },
  mkdir: (round) => fs.mkdir(`d/m${round}/n`, true),
  "move out of it": async (round) => {
    await fs.move("d/file.txt", `moved-${round}`, true);
    expect(readFileSync(join(ws, `moved-${round}`), "utf8")).toContain("inside");
  },
  "move into it": (round) =>
    fs.move("plain.txt", `d/p-${round}`, true).then(() => fs.move(`d/p-${round}`, "plain.txt")),
  remove: async () => {
    await fs.write("d/sub/file.txt", Buffer.from("text inside")).catch(() => {});
    await fs.remove("d/sub/file.txt");
  },
  "remove recursive": async () => {
    await fs.mkdir("d/sub", true).catch(() => {});
    await fs.write("d/sub/file.txt", Buffer.from("text inside")).catch(() => {});
    await fs.remove("d/sub", true);
  },
  "remove all of it": async () => {
    await fs.mkdir("d", true).catch(() => {});
    await fs.write("d/sub/file.txt", Buffer.from("text inside")).catch(() => {});
    await fs.remove("d", true);
  },
};

describe("a folder that is swapped for a link to outside", () => {
  it.each(Object.entries(DIR_OPERATIONS))("never leads %s out", async (_name, operation) => {
    fresh();
    const swaps = await swapping({ ws, name: "d", target: join(base, "outside") }, async () => {
      for (let round = 0; round < ROUNDS; round++) await attempt(() => operation(round));
    });
    expect(swaps).toBeGreaterThan(0);
    untouched();
  });

  it("made the operations both succeed and fail, and never as our own fault", () => {
    expect(seen.get("ok")).toBeGreaterThan(0);
    expect(seen.get("PATH_ESCAPE")).toBeGreaterThan(0);
    expect(seen.get("INTERNAL")).toBeUndefined();
  });
});

/** A move that failed half-way may have left no file to swap. */
function putBack(): void {
  try {
    if (!existsSync(join(ws, "aside"))) writeFileSync(join(ws, "f"), "text inside", { flag: "wx" });
  } catch {
    // It is there.
  }
}

describe("a file that is swapped for a link to outside", () => {
  it.each([
    ["read", () => read("f")],
    ["write", () => fs.write("f", Buffer.from("text inside"))],
    ["edit", () => fs.edit({ path: "f", old_string: "text", new_string: "new text", replace_all: true })],
    [
      "remove",
      () =>
        fs.write("f", Buffer.from("text inside")).then(
          () => fs.remove("f"),
          () => fs.remove("f"),
        ),
    ],
    ["move", () => fs.move("f", "g", true).then(() => fs.move("g", "f", true))],
  ])("never leads %s out", async (_name, operation) => {
    fresh();
    writeFileSync(join(ws, "f"), "text inside");
    const swaps = await swapping({ ws, name: "f", target: join(base, "outside/file.txt") }, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await attempt(operation);
        putBack();
      }
    });
    expect(swaps).toBeGreaterThan(0);
    untouched();
  });
});
