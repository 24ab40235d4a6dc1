import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCondition } from "./condition.ts";
import { parseTemplate } from "./template.ts";

const vars = { a: "1.5", b: "10", word: "Hello", none: "", list: ["x", "y"] };

describe("parseCondition", () => {
  it.each([
    ["{{a}} == 1.5", true],
    ["{{a}} != {{b}}", true],
    ["{{a}} < {{b}}", true],
    ["{{b}} <= 9", false],
    ["{{b}} >= 10", true],
    ["{{word}} > Apple", true],
    ["{{word}} contains 'ell'", true],
    ['{{word | lower}} == "hello"', true],
    ["{{list | count}} == 2", true],
    ["{{none}} ==", true],
    ["{{none}}", false],
    ["not {{none}}", true],
    ["{{missing}}", false],
    ["{{word}}", true],
    ['{{word}} == {{none | default: "a == b"}}', false],
  ])("%s is %s", (source, holds) => {
    expect(parseCondition(source).holds(vars)).toBe(holds);
  });

  it("refuses what compares nothing", () => {
    expect(() => parseCondition("always")).toThrow("compares no value");
    expect(() => parseCondition("{{a | x}} == 1")).toThrow("unknown filter");
  });
});

describe("parseTemplate", () => {
  it("fills in values, filtered from left to right", () => {
    const source =
      '{{word}}, {{ word|upper }}, {{list}}, {{list | join: "-"}}, {{word | json}}, {{none | default: "?" | lower}}, { {{b}} }';
    expect(parseTemplate(source).render(vars)).toBe('Hello, HELLO, x, y, x-y, "Hello", ?, { 10 }');
  });

  it("leaves a text without places as it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/\{\{[^{}]*\}\}/.test(text));
        expect(parseTemplate(text).render(vars)).toBe(text);
      }),
    );
  });
});
