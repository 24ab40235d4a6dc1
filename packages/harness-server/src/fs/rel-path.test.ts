import { WireError } from "@computeragent/protocol";
import { describe, expect, it } from "vitest";
import { MAX_PATH_BYTES, parsePath, quote, toBytes, toText } from "./rel-path.ts";

function codeOf(path: string): string {
  try {
    parsePath(path);
  } catch (error) {
    if (WireError.isInstance(error)) return error.code;
    throw error;
  }
  return "ok";
}

describe("parsePath", () => {
  it.each(["", "/", ".", "./", "././."])("takes %j as the root", (path) => {
    expect(parsePath(path)).toEqual({ names: [], shown: "" });
  });

  it.each([
    ["a/b", "a/b"],
    ["./a//b/", "a/b"],
    ["..a/...", "..a/..."],
    [".hidden/.git", ".hidden/.git"],
    ["a\\..\\b", "a\\..\\b"],
    ["C:\\x", "C:\\x"],
    ["%2e%2e/x", "%2e%2e/x"],
    [" /\n", " /\n"],
  ])("keeps %j as %j", (path, shown) => {
    expect(parsePath(path).shown).toBe(shown);
  });

  it.each(["..", "../a", "a/../b", "a/..", "/etc/passwd", "//", "/.", "a\0b", "\0", "./../a"])(
    "refuses %j as an escape",
    (path) => {
      expect(codeOf(path)).toBe("PATH_ESCAPE");
    },
  );

  it("limits names to 255 and paths to 4096 bytes, counted in UTF-8", () => {
    expect(codeOf("a".repeat(255))).toBe("ok");
    expect(codeOf("a".repeat(256))).toBe("VALIDATION");
    expect(codeOf("é".repeat(128))).toBe("VALIDATION");
    const deep = "a/".repeat(MAX_PATH_BYTES / 2);
    expect(deep.length).toBe(4096);
    expect(codeOf(deep)).toBe("ok");
    expect(codeOf(`${deep}a`)).toBe("VALIDATION");
  });

  it("refuses what cannot be the UTF-8 name that was meant", () => {
    expect(codeOf("a\ud800")).toBe("VALIDATION");
    expect(codeOf("a\ufffd")).toBe("VALIDATION");
    expect(codeOf("a😀")).toBe("ok");
  });
});

describe("names and details", () => {
  it("turns text to bytes and back", () => {
    expect(toText(toBytes("é😀"))).toBe("é😀");
    expect(toBytes("é")).toBe("\u00c3\u00a9");
    expect(toText("a\u00ff")).toBe("a\ufffd");
  });

  it("escapes control characters and cuts long paths", () => {
    expect(quote("a\nb")).toBe('"a\\nb"');
    expect(quote("x".repeat(5000)).length).toBeLessThan(250);
  });
});
