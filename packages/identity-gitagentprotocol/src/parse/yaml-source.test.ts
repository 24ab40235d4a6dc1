import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "./yaml-source.ts";

const problemsOf = (text: string): readonly { message: string; line?: number }[] => {
  const parsed = parseYaml(text);
  return Array.isArray(parsed) ? parsed : [];
};
const dataOf = (text: string): unknown => {
  const parsed = parseYaml(text);
  if (Array.isArray(parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.data;
};

describe("parseYaml", () => {
  it("reads the core schema: no dates, no yes and no, no merge keys", () => {
    const text = "date: 2026-01-15\nanswer: yes\noctal: 010\nhex: 0x10\nnothing: ~\nbase: &b {x: 1}\nmore:\n  <<: *b\n";
    expect(dataOf(text)).toEqual({
      date: "2026-01-15",
      answer: "yes",
      octal: 10,
      hex: 16,
      nothing: null,
      base: { x: 1 },
      more: { "<<": { x: 1 } },
    });
  });

  it.each([
    ["a: 1\nb: 2\na: 3\n", /repeats the key "a"/, 3],
    ["x:\n  - {k: 1, k: 2}\n", /repeats the key "k"/, 2],
    ["a: 1\n---\nb: 2\n", /one YAML document/, 2],
    ["a: !!js/function 'x'\n", /tag/i, 1],
    ["a: [1\nb: 2\n", /./, 2],
    ["", /empty/, undefined],
    ["# only a comment\n", /empty/, undefined],
    ["a: &a\n  b: *a\n", /alias of something around it/, undefined],
    ["[".repeat(60_000), /deeply/, undefined],
    ["{".repeat(60_000), /deeply/, undefined],
    ["- ".repeat(30_000), /deeply/, undefined],
  ])("refuses %j", (text, message, line) => {
    const [first] = problemsOf(text);
    expect(first?.message).toMatch(message);
    expect(first?.line).toBe(line);
  });

  it("refuses aliases that multiply, and very many of them", () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(",")}]\n`;
    const bomb = level("a", "x") + level("b", "*a") + level("c", "*b") + level("d", "*c") + level("e", "*d");
    expect(problemsOf(bomb)[0]?.message).toMatch(/alias/i);
    expect(problemsOf(`- &a 1\n${"- *a\n".repeat(101)}`)[0]?.message).toMatch(/aliases/);
  });

  it("knows the line of keys, items and of what surrounds a missing key", () => {
    const parsed = parseYaml("name: x\nlist:\n  - one\n  - two\nmap:\n  inner: 1\n", 10);
    if (Array.isArray(parsed)) throw new Error("not parsed");
    expect(parsed.lineOf(["name"])).toBe(10);
    expect(parsed.lineOf(["list", 1])).toBe(13);
    expect(parsed.lineOf(["map", "inner"])).toBe(15);
    expect(parsed.lineOf(["map", "absent"])).toBe(14);
    expect(parsed.lineOf([])).toBe(10);
  });

  it("never throws, and what it reads from JSON is what was written", () => {
    fc.assert(fc.property(fc.string({ maxLength: 300, unit: "binary" }), (text) => void parseYaml(text)));
    const syntax = fc.string({
      maxLength: 200,
      unit: fc.constantFrom(...'abc:-?[]{}&*!|>"#%,\n \t0'.split(""), "\n  ", ": ", "- "),
    });
    fc.assert(fc.property(syntax, (text) => void parseYaml(text)));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(JSON.stringify(dataOf(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
    );
  });
});
