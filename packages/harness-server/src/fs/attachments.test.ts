import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeAttachments } from "./attachments.ts";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "attach-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 100 });
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

it("writes text and base64 with the folders they need", async () => {
  const many = Array.from({ length: 20 }, (_, i) => ({ path: `many/${i}`, content: `${i}` }));
  await writeAttachments(fs, [
    { path: "a/b.txt", content: "é" },
    { path: "c.bin", content: "AP+A", encoding: "base64" },
    { path: "d", content: "ü", encoding: "utf8" },
    ...many,
  ]);
  expect(readFileSync(join(ws, "a/b.txt"), "utf8")).toBe("é");
  expect([...readFileSync(join(ws, "c.bin"))]).toEqual([0, 255, 128]);
  expect(readdirSync(join(ws, "many"))).toHaveLength(20);
});

it.each([
  [{ path: "../x", content: "" }, "PATH_ESCAPE", "/attachments/1/path"],
  [{ path: "/etc/x", content: "" }, "PATH_ESCAPE", "/attachments/1/path"],
  [{ path: "ok", content: "" }, "VALIDATION", "/attachments/1/path"],
  [{ path: "./ok", content: "" }, "VALIDATION", "/attachments/1/path"],
  [{ path: "x", content: "\ud800" }, "VALIDATION", "/attachments/1/content"],
  [{ path: "x", content: "a b=", encoding: "base64" as const }, "VALIDATION", "/attachments/1/content"],
  [{ path: "x", content: "QQ", encoding: "base64" as const }, "VALIDATION", "/attachments/1/content"],
])("refuses %j before anything is written", async (bad, code, pointer) => {
  const good = { path: "ok", content: "x" };
  await expect(writeAttachments(fs, [good, bad])).rejects.toMatchObject({ code, errors: [{ pointer }] });
  expect(readdirSync(ws)).toEqual([]);
});

it("points at the one that cannot be written", async () => {
  symlinkSync("/tmp", join(ws, "link"));
  const list = [
    { path: "fine", content: "x" },
    { path: "link/evil", content: "x" },
  ];
  await expect(writeAttachments(fs, list)).rejects.toMatchObject({
    code: "PATH_ESCAPE",
    errors: [{ pointer: "/attachments/1/path" }],
  });
  await expect(writeAttachments(fs, [{ path: "big", content: "x".repeat(101) }])).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
});
