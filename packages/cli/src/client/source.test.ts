import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

  it("takes a state of a repository on this machine, and one without files of its own", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "source-"));
    try {
      await mkdir(join(cwd, "re po"));
      for (const name of ["HEAD", "objects", "refs"]) await mkdir(join(cwd, "bare", name), { recursive: true });
      const url = pathToFileURL(cwd).href;
      expect(sourceOf("re po#v1", cwd)).toEqual({ type: "git", url: `${url}/re%20po#v1` });
      expect(sourceOf("./re po#feature/x:my 100%", cwd)).toEqual({
        type: "git",
        url: `${url}/re%20po#feature%2Fx:my%20100%25`,
      });
      expect(sourceOf(join(cwd, "re po#:a"), "/")).toEqual({ type: "git", url: `${url}/re%20po#:a` });
      expect(sourceOf("bare", cwd)).toEqual({ type: "git", url: `${url}/bare` });
      await mkdir(join(cwd, "re po#v1"));
      expect(sourceOf("re po#v1", cwd)).toEqual({ type: "local", path: join(cwd, "re po#v1") });
      expect(() => sourceOf("none#v1", cwd)).toThrow("there is no folder none#v1");
    } finally {
      await rm(cwd, { recursive: true });
    }
  });

  it.each([
    "",
    " ",
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
