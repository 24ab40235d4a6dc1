import { describe, expect, it } from "vitest";
import { sourceOf } from "./source.ts";

describe("sourceOf", () => {
  it("knows folders, git URLs and inline agents", () => {
    expect(sourceOf("git@host:org/repo", process.cwd())).toEqual({ type: "git", url: "git@host:org/repo" });
    expect(sourceOf("packages/cli", process.cwd())).toEqual({ type: "local", path: `${process.cwd()}/packages/cli` });
    expect(sourceOf("github.com/org/repo", "/")).toEqual({ type: "git", url: "github.com/org/repo" });
    expect(sourceOf("inline:Be kind.", "/")).toMatchObject({ type: "inline", files: { "SOUL.md": "Be kind.\n" } });
    expect(sourceOf('inline:{"manifest":{"name":"x"},"files":{"SOUL.md":"s"}}', "/")).toEqual({
      type: "inline",
      manifest: { name: "x" },
      files: { "SOUL.md": "s" },
    });
  });

  it.each([
    "missing",
    "missing/folder.x",
    "./missing",
    "/missing/folder",
    "~/missing",
    "package.json",
    "inline:",
    "inline:{oops",
  ])("refuses %s", (text) => {
    expect(() => sourceOf(text, process.cwd())).toThrow();
  });
});
