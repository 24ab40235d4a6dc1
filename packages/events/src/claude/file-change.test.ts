import { describe, expect, it } from "vitest";
import { fileChange } from "./file-change.ts";

const patch = (lines: string[]) => [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: lines.length, lines }];
const call = (name: string, input = {}) => ({ name, input });

describe("a changed file", () => {
  it("shows its hunks", () => {
    const details = { filePath: "/w/a", originalFile: "x", structuredPatch: patch(["-x", "+y", "+z"]) };
    expect(fileChange("c", call("Edit"), details, "")).toEqual({
      event: "file.changed",
      callId: "c",
      path: "/w/a",
      change: "modify",
      diff: "--- /w/a\n+++ /w/a\n@@ -3,1 +3,3 @@\n-x\n+y\n+z\n",
    });
  });

  it.each([
    ["a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"],
    ["a", "@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n"],
    ["", ""],
  ])("that is new shows all of %j", (content, hunks) => {
    const details = { type: "create", filePath: "/w/a", content, structuredPatch: [], originalFile: null };
    expect(fileChange("c", call("Write"), details, "")).toMatchObject({
      change: "create",
      diff: `--- /dev/null\n+++ /w/a\n${hunks}`,
    });
  });

  it("may be made by an edit", () => {
    const details = { filePath: "/w/a", originalFile: null, structuredPatch: patch(["+y"]) };
    expect(fileChange("c", call("Edit"), details, "")?.change).toBe("create");
  });

  it("has no diff when that would be too long, or is not known", () => {
    const long = "x".repeat(300_000);
    const created = { type: "create", filePath: "/w/a", content: long, structuredPatch: [] };
    expect(fileChange("c", call("Write"), created, "")).not.toHaveProperty("diff");
    const changed = { filePath: "/w/a", originalFile: "", structuredPatch: patch([`+${long}`]) };
    expect(fileChange("c", call("Edit"), changed, "")).not.toHaveProperty("diff");
    expect(fileChange("c", call("Edit", { file_path: "/w/a" }), {}, "ok")).toEqual({
      event: "file.changed",
      callId: "c",
      path: "/w/a",
      change: "modify",
    });
  });

  it("may be a notebook", () => {
    const details = { notebook_path: "/w/n.ipynb", new_source: "1", updated_file: "{}" };
    expect(fileChange("c", call("NotebookEdit"), details, "")).toMatchObject({ path: "/w/n.ipynb", change: "modify" });
    expect(fileChange("c", call("NotebookEdit"), { ...details, error: "no such cell" }, "")).toBeUndefined();
  });

  it("is none when the edit waits for review, or the tool only read", () => {
    const details = { filePath: "/w/a", originalFile: "", structuredPatch: patch(["+y"]), staged: true };
    expect(fileChange("c", call("Edit"), details, "")).toBeUndefined();
    expect(fileChange("c", call("Read", { file_path: "/w/a" }), { file: { filePath: "/w/a" } }, "")).toBeUndefined();
    expect(fileChange("c", undefined, {}, "")).toBeUndefined();
  });
});
