import { WireError } from "@computeragent/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceText } from "./replace-text.ts";

const MAX = 1_000_000;

function replace(content: string, oldString: string, newString: string, all = false): string {
  return replaceText(Buffer.from(content), { oldString, newString, all }, MAX).result.toString();
}

function refusal(content: string, oldString: string, newString: string, all = false): string {
  try {
    return replace(content, oldString, newString, all);
  } catch (error) {
    if (WireError.isInstance(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("replaceText", () => {
  it.each([
    ["a b c", "b", "x", false, "a x c"],
    ["b", "b", "", false, ""],
    ["abc", "c", "dd", false, "abdd"],
    ["same len", "same", "size", false, "size len"],
    ["a a a", "a", "b", true, "b b b"],
    ["aaaa", "aa", "b", true, "bb"],
    ["x.y.z", ".", "$&", true, "x$&y$&z"],
    ["é😀é", "😀", "ü", false, "éüé"],
    ["\ufefffirst\nsecond", "first", "1st", false, "\ufeff1st\nsecond"],
    ["\ufeffx", "\ufeff", "", false, "x"],
  ])("in %j takes %j for %j (all: %j)", (content, before, after, all, expected) => {
    expect(replace(content, before, after, all)).toBe(expected);
  });

  it("counts", () => {
    const edit = { oldString: "a", newString: "a2", all: true };
    expect(replaceText(Buffer.from("a.a.a"), edit, MAX).count).toBe(3);
  });

  it.each([
    ["abc", "x", "y", false, /^EDIT_CONFLICT: .*not in the file/],
    ["abc", "x", "y", true, /^EDIT_CONFLICT/],
    ["", "x", "y", false, /^EDIT_CONFLICT/],
    ["a a a", "a", "b", false, /^EDIT_CONFLICT: .*3 times/],
    ["aaa", "aa", "b", false, /^EDIT_CONFLICT: .*2 times/],
    ["Abc", "abc", "y", false, /^EDIT_CONFLICT/],
  ])("in %j refuses %j for %j", (content, before, after, all, expected) => {
    expect(refusal(content, before, after, all)).toMatch(expected);
  });

  it("keeps CRLF files CRLF for callers who speak LF, and does what it is told by those who speak CRLF", () => {
    expect(replace("a\r\nb\r\n", "a\nb", "1\n2\n3")).toBe("1\r\n2\r\n3\r\n");
    expect(replace("a\r\nb\r\n", "a", "a\nx")).toBe("a\r\nx\r\nb\r\n");
    expect(replace("a\r\nb\r\n", "\r\n", "\n", true)).toBe("a\nb\n");
    expect(replace("a\r\nb\n", "b", "b\nc")).toBe("a\r\nb\nc\n");
    expect(refusal("a\r\nb\n", "a\nb", "x")).toMatch(/^EDIT_CONFLICT/);
    expect(replace("a\nb", "a\nb", "a\r\nb")).toBe("a\r\nb");
  });

  it("knows the size of the result before it makes it", () => {
    const edit = { oldString: "a", newString: "b".repeat(1000), all: true };
    expect(() => replaceText(Buffer.alloc(100_000, "a"), edit, MAX)).toThrow("at most");
  });

  it("agrees with the language on every text without line ends", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀", "."), maxLength: 30 });
    const needle = fc.string({ unit: fc.constantFrom("a", "b", "é", "😀"), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(text, needle, text, (content, before, after) => {
        fc.pre(content.includes(before));
        expect(replace(content, before, after, true)).toBe(content.replaceAll(before, () => after));
      }),
    );
  });
});
