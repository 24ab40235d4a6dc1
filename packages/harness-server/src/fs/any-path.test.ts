import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

const SECRET = "secret outside".padEnd(5003);
let base: string;
let ws: string;
let fs: WorkspaceFs;
let before: string;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "any-"));
  ws = join(base, "ws");
  mkdirSync(join(base, "outside/dir"), { recursive: true });
  writeFileSync(join(base, "outside/secret"), SECRET);
  writeFileSync(join(base, "outside/dir/secret"), SECRET);
  before = outside();
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function fresh(): void {
  rmSync(ws, { recursive: true, force: true });
  mkdirSync(join(ws, "dir/sub"), { recursive: true });
  writeFileSync(join(ws, "file"), "text inside");
  writeFileSync(join(ws, "dir/file"), "text inside");
  const links = { up: "..", out: "../outside", abs: join(base, "outside"), secret: "../outside/secret", in: "dir" };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(ws, name));
  symlinkSync("../../outside/dir", join(ws, "dir/out"));
  symlinkSync("../up/outside", join(ws, "dir/twice"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 10_000 });
}

/** Everything beside the workspace, modes and times included. */
function outside(): string {
  const names = ["outside", ...readdirSync(join(base, "outside"), { recursive: true, encoding: "utf8" }).sort()];
  const entries = names.map((name, index) => {
    const path = index === 0 ? join(base, name) : join(base, "outside", name);
    const stat = lstatSync(path);
    return [name, stat.mode, stat.nlink, stat.mtimeMs, stat.ctimeMs, stat.isFile() ? readFileSync(path, "utf8") : ""];
  });
  return JSON.stringify([
    readdirSync(base)
      .sort()
      .filter((name) => name !== "ws"),
    entries,
  ]);
}

const segment = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "..",
      ".",
      "",
      "dir",
      "sub",
      "file",
      "up",
      "out",
      "abs",
      "secret",
      "in",
      "twice",
      "outside",
      "ws",
      "new",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "...",
      "..\\..",
      "\\",
      "%2e%2e",
      "..%2f",
      "\0",
      "\ud800",
      "\ufffd",
      "~",
      "x".repeat(256),
      "\n",
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 5, unit: "binary" }) },
);
const anyPath = fc
  .tuple(fc.constantFrom("", "", "", "/", "//", "./", "\\"), fc.array(segment, { maxLength: 6 }))
  .map(([start, names]) => start + names.join("/"));

const operation = fc.oneof(
  fc.record({
    do: fc.constantFrom("read", "tree", "write", "edit", "mkdir", "remove"),
    path: anyPath,
    flag: fc.boolean(),
  }),
  fc.record({ do: fc.constant("move"), path: anyPath, to: anyPath, flag: fc.boolean() }),
);

async function perform(step: { do: string; path: string; to?: string; flag: boolean }): Promise<void> {
  const { path, flag } = step;
  if (step.do === "tree") {
    const { entries } = await fs.tree({ path, depth: flag ? 5 : 1 });
    for (const entry of entries) expect(entry.size).not.toBe(SECRET.length);
  } else if (step.do === "read") {
    const file = await fs.open(path);
    expect(await new Response(file.stream(0, file.size)).text()).not.toContain("outside");
  } else if (step.do === "write") await fs.write(path, Buffer.from("evil"));
  else if (step.do === "edit") await fs.edit({ path, old_string: "e", new_string: "evil", replace_all: flag });
  else if (step.do === "mkdir") await fs.mkdir(path, flag);
  else if (step.do === "remove") await fs.remove(path, flag);
  else await fs.move(path, step.to ?? "", flag);
}

it("no sequence of operations on any paths touches or shows anything outside", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (steps) => {
      fresh();
      for (const step of steps) {
        try {
          await perform(step);
        } catch (error) {
          if (!WireError.isInstance(error)) throw error;
          expect(error.code).not.toBe("INTERNAL");
          expect(error.message).not.toContain(base);
          expect(error.message).not.toContain("/proc");
        }
        expect(outside()).toBe(before);
      }
    }),
    { numRuns: 300, endOnFailure: true },
  );
}, 120_000);
