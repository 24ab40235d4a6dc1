import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "edit-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

const edit = (path: string, old_string: string, new_string: string, replace_all = false) =>
  fs.edit({ path, old_string, new_string, replace_all });

it("replaces, answers what a write answers, and leaves only the file", async () => {
  await fs.write("d/f", Buffer.from("one two two"));
  expect(await edit("d/f", "two", "2", true)).toMatchObject({ replacements: 2, size: 7 });
  const { sha } = await edit("d/f", "one", "1");
  await using file = await fs.open("d/f");
  expect(await file.tag()).toBe(sha);
  expect(readFileSync(join(ws, "d/f"), "utf8")).toBe("1 2 2");
  expect(readdirSync(join(ws, "d"))).toEqual(["f"]);
});

it("of equal length changes the content and its tag", async () => {
  const { sha: before } = await fs.write("f", Buffer.from("abc abc"));
  await expect(edit("f", "abc", "xyz")).rejects.toMatchObject({ code: "EDIT_CONFLICT" });
  const { sha, size, replacements } = await edit("f", "abc", "xyz", true);
  expect([size, replacements, sha === before]).toEqual([7, 2, false]);
  await using after = await fs.open("f");
  expect([await after.tag(), Buffer.from(after.head).toString()]).toEqual([sha, "xyz xyz"]);
});

it("refuses with a specific code and changes nothing", async () => {
  mkdirSync(join(ws, "dir"));
  const before = { text: "abc abc", binary: Buffer.from([0xff, 0xfe, 0x61]) };
  for (const [name, content] of Object.entries(before)) writeFileSync(join(ws, name), content);
  writeFileSync(join(ws, "large"), Buffer.alloc(17 * 1024 * 1024, "a"));
  const cases: [string, string, string, string][] = [
    ["text", "x", "y", "EDIT_CONFLICT"],
    ["text", "abc", "y", "EDIT_CONFLICT"],
    ["text", "abc", "abc", "VALIDATION"],
    ["text", "", "y", "VALIDATION"],
    ["text", "abc", "\ud800", "VALIDATION"],
    ["binary", "a", "b", "UNSUPPORTED_MEDIA_TYPE"],
    ["large", "a", "b", "PAYLOAD_TOO_LARGE"],
    ["dir", "a", "b", "NOT_A_FILE"],
    ["", "a", "b", "NOT_A_FILE"],
    ["none", "a", "b", "NOT_FOUND"],
    ["none/none", "a", "b", "NOT_FOUND"],
  ];
  for (const [path, from, to, code] of cases) {
    await expect(edit(path, from, to), `${path} ${from}`).rejects.toMatchObject({ code });
  }
  await expect(edit("text", "abc", "x".repeat(600_000), true)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  for (const [name, content] of Object.entries(before)) {
    expect(readFileSync(join(ws, name)).equals(Buffer.from(content))).toBe(true);
  }
});

it("loses none of many edits and writes of one file at once", async () => {
  const marks = Array.from({ length: 20 }, (_, i) => `<${i}>`);
  await fs.write("f", Buffer.from(marks.join("\n")));
  const again = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
  await Promise.all(
    marks.map((mark, i) =>
      (i % 2 ? fs : again).edit({ path: "f", old_string: mark, new_string: `done ${i}`, replace_all: false }),
    ),
  );
  expect(readFileSync(join(ws, "f"), "utf8")).toBe(marks.map((_, i) => `done ${i}`).join("\n"));
});

it("gives up rather than overwrite a file that somebody else keeps changing", async () => {
  writeFileSync(join(ws, "log"), `ours: ${"x".repeat(500_000)}\n`);
  const stop = new SharedArrayBuffer(4);
  const worker = new Worker(
    `const { parentPort, workerData: { file, stop } } = require("node:worker_threads");
     const { appendFileSync } = require("node:fs");
     const flag = new Int32Array(stop);
     let lines = 0;
     for (; Atomics.load(flag, 0) === 0; Atomics.wait(flag, 0, 0, 0.05)) {
       appendFileSync(file, "line " + lines++ + "\\n");
       if (lines === 1) parentPort.postMessage("started");
     }
     parentPort.postMessage(lines);`,
    { eval: true, workerData: { file: join(ws, "log"), stop } },
  );
  const message = () => new Promise<unknown>((resolve) => worker.once("message", resolve));
  await message();
  const results = await Promise.all(
    Array.from({ length: 5 }, (_, i) =>
      edit("log", "ours: ", `ours: ${i}`).then(
        () => "ok",
        (error) => error.code,
      ),
    ),
  );
  Atomics.store(new Int32Array(stop), 0, 1);
  const lines = Number(await message());
  await worker.terminate();
  expect(results).toContain("EDIT_CONFLICT");
  expect(results.filter((result) => result !== "ok" && result !== "EDIT_CONFLICT")).toEqual([]);
  const text = readFileSync(join(ws, "log"), "utf8");
  if (!results.includes("ok")) expect(text.match(/^line /gm)).toHaveLength(lines);
  expect(readdirSync(ws)).toEqual(["log"]);
});
