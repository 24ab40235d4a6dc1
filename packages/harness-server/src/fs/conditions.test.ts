import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Conditions } from "./conditions.ts";
import { createWorkspaceFs, type WorkspaceFs } from "./workspace-fs.ts";

let ws: string;
let fs: WorkspaceFs;

beforeEach(() => {
  ws = mkdtempSync(join(tmpdir(), "conditions-"));
  fs = createWorkspaceFs({ root: ws, maxFileBytes: 1_000_000 });
  writeFileSync(join(ws, "f"), "old");
  mkdirSync(join(ws, "d"));
});

afterEach(() => rmSync(ws, { recursive: true, force: true }));

const tagOf = (text: string): string => `"${createHash("sha256").update(text).digest("hex")}"`;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error) => error.code,
  );

const changes: readonly [string, (path: string, conditions: Conditions) => Promise<unknown>, () => boolean][] = [
  [
    "an edit",
    (path, given) => fs.edit({ path, old_string: "old", new_string: "new" }, given),
    () => textOf("f") === "new",
  ],
  ["a deletion", (path, given) => fs.remove(path, true, given), () => !existsSync(join(ws, "f"))],
  ["a move", (path, given) => fs.move(path, "there/x", false, given), () => textOf("there/x") === "old"],
];
const textOf = (path: string): string => readFileSync(join(ws, path), "utf8");

describe.each(changes)("%s", (_what, change, isDone) => {
  it("is done to the version that If-Match names, and to no other", async () => {
    expect(await codeOf(change("f", { ifMatch: tagOf("other") }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(change("f", { ifMatch: `W/${tagOf("old")}` }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(change("f", { ifNoneMatch: "*" }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(change("f", { ifNoneMatch: tagOf("old") }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(change("f", { ifMatch: "a b" }))).toBe("VALIDATION");
    expect([textOf("f"), existsSync(join(ws, "there"))]).toEqual(["old", false]);
    expect(await codeOf(change("f", { ifMatch: `"x", ${tagOf("old")}`, ifNoneMatch: tagOf("x") }))).toBe("ok");
    expect(isDone()).toBe(true);
  });

  it("of nothing says so, whatever its conditions", async () => {
    expect(await codeOf(change("none", { ifMatch: "*" }))).toBe("NOT_FOUND");
  });
});

describe("a folder", () => {
  it("has no version: only * names it", async () => {
    expect(await codeOf(fs.move("d", "e", false, { ifMatch: tagOf("") }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(fs.move("d", "e", false, { ifMatch: "*" }))).toBe("ok");
    expect(await codeOf(fs.remove("e", true, { ifNoneMatch: "*" }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(fs.remove("e", true, { ifMatch: '"x"' }))).toBe("PRECONDITION_FAILED");
    expect(await codeOf(fs.remove("e", true, { ifMatch: "*", ifNoneMatch: '"x"' }))).toBe("ok");
    expect(existsSync(join(ws, "e"))).toBe(false);
  });
});
