import { join, resolve, sep } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRelativePath, hasControlCharacter } from "./safe-path.ts";

describe("checkRelativePath", () => {
  it.each(["SOUL.md", "skills/a/SKILL.md", "..hidden", "a/...", ".github/x", "naïve/文.md", "~", "a b"])(
    "takes %j",
    (path) => {
      expect(checkRelativePath(path)).toEqual(path.split("/"));
    },
  );

  it.each([
    ["/etc/passwd", "escape"],
    ["/", "escape"],
    ["..", "escape"],
    ["../x", "escape"],
    ["a/../../x", "escape"],
    ["a/..", "escape"],
    ["C:/x", "escape"],
    ["", "invalid"],
    [".", "invalid"],
    ["a//b", "invalid"],
    ["a/", "invalid"],
    ["./a", "invalid"],
    ["a\\..\\b", "invalid"],
    ["..\\x", "invalid"],
    ["a\0b", "invalid"],
    ["a\nb", "invalid"],
    ["a\u007f", "invalid"],
    ["a\u0085", "invalid"],
    ["a\ud800", "invalid"],
    [".git/hooks/pre-commit", "invalid"],
    ["a/.GIT/config", "invalid"],
    [`${"x".repeat(256)}`, "invalid"],
    [`${"é".repeat(128)}`, "invalid"],
    [`${"d/".repeat(64)}f`, "invalid"],
    [Array(41).fill("n".repeat(100)).join("/"), "invalid"],
  ])("refuses %j", (path, kind) => {
    expect(checkRelativePath(path)).toMatchObject({ kind });
  });

  it("never takes a path that leads out of its folder", () => {
    const names = fc.constantFrom("..", ".", "a", "", "...", ". .", "\\", "/", "%2e%2e", "\u2025", "C:", "~");
    const path = fc.oneof(
      fc.array(names, { maxLength: 8 }).map((parts) => parts.join("/")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(path, (text) => {
        const result = checkRelativePath(text);
        if ("reason" in result) return;
        expect(resolve(join("/base/inside", ...result))).toBe(join("/base/inside", text));
        expect(resolve("/base/inside", text).startsWith(`/base/inside${sep}`)).toBe(true);
        expect(hasControlCharacter(text)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});
