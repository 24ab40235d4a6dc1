import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCondition } from "./condition.ts";
import { loadScenarios, ScenarioError } from "./load.ts";
import { parseTemplate } from "./template.ts";

const load = (text: string): unknown => {
  try {
    return loadScenarios(text, "any.yaml");
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { line } of error.problems) expect(line).toBeGreaterThanOrEqual(1);
    return undefined;
  }
};

describe("a scenario file", () => {
  it("is loaded, or its faults are told by line, whatever it holds", () => {
    const piece = fc.constantFrom(
      ..."name: x|match:|  contains: a|steps:|  - say: hi|  - run: ls|    capture:|      v: '{{x}}'|- |: |&a |*a |<<: |[|]|{|}|\"|'|\t|---|...|!!js/function |? |# |\u0000|{{|}}|when: ".split(
        "|",
      ),
    );
    const lines = fc.array(fc.tuple(piece, fc.constantFrom("\n", "", " ")), { maxLength: 25 });
    fc.assert(
      fc.property(lines, (all) => void load(all.flat().join(""))),
      { numRuns: 200 },
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void load(text)));
  });

  it("may hold any value in any place", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void load(JSON.stringify(value))));
    const step = fc.dictionary(fc.constantFrom("say", "run", "when", "capture", "write", "ask"), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(step), (steps) => void load(JSON.stringify({ name: "x", match: { contains: "a" }, steps }))),
    );
  });

  it("cannot grow beyond measure by its aliases", () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1},`.repeat(i ? 10 : 0)}x]`);
    expect(load(bomb.join("\n"))).toBeUndefined();
    expect(load("a: &a\n  b: *a\n")).toBeUndefined();
  });

  it("may nest deeply", () => {
    expect(load("[".repeat(5000))).toBeUndefined();
    expect(load(`steps: ${"[".repeat(5000)}${"]".repeat(5000)}`)).toBeUndefined();
  });
});

describe("a template and a comparison", () => {
  const vars = { a: "1", list: ["x", "y"] };
  const piece = fc.constantFrom(
    "{{",
    "}}",
    "a",
    "list",
    "|",
    "trim",
    "join",
    ":",
    "'",
    '"',
    " ",
    "==",
    "<=",
    "contains",
    "not ",
    "{",
    "__proto__",
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 15 }).map((all) => all.join("")),
    fc.string(),
  );
  const tried = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      // A plain error with a text for people, not a fault of the program.
      expect(error).toMatchObject({ name: "Error", message: expect.stringMatching(/./) });
    }
  };

  it("fill in and hold, or say what is wrong", () => {
    fc.assert(
      fc.property(text, (source) => {
        tried(() => expect(typeof parseTemplate(source).render(vars)).toBe("string"));
        tried(() => expect(typeof parseCondition(source).holds(vars)).toBe("boolean"));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["{", "{{", "}}", "{{a}}", "{{a|", " ", "| ", "a == ", "'", "not ", "\n"])(
    "are read to their end, 1 MB of %j",
    (one) => {
      const long = one.repeat(1_000_000 / one.length);
      for (const source of [long, `{{${long}}}`, `{{a}} == ${long}`, `${long} x`]) {
        tried(() => parseTemplate(source).render(vars));
        tried(() => parseCondition(source).holds(vars));
      }
    },
  );
});
