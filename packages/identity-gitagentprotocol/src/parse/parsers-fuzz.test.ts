import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseModelName } from "../adapters/model-name.ts";
import { AgentYaml } from "../schema/agent-yaml.ts";
import { normaliseDialects } from "./dialects.ts";
import { splitFrontMatter } from "./front-matter.ts";
import { checkLenient } from "./lenient.ts";
import { parseYaml } from "./yaml-source.ts";

/** Text made of what means something to YAML, and of anything. */
const yamlish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "- ",
        "? ",
        ": ",
        "a",
        "&a ",
        "*a",
        "!!js/function ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "|\n",
        ">\n",
        "\n",
        "  ",
      ),
      fc.constantFrom(
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "#",
        '"',
        "'",
        "<<: ",
        "\t",
        "\r",
        "\uFEFF",
        "\0",
        "\\x",
        "__proto__: ",
      ),
      fc.string({ unit: "binary", maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

const path = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.nat(3)), { maxLength: 4 });

describe("for any input", () => {
  it("parseYaml gives data with lines, or problems", () => {
    fc.assert(
      fc.property(yamlish, path, (text, place) => {
        const parsed = parseYaml(text);
        if (Array.isArray(parsed)) return parsed.length > 0 && parsed.every(({ message }) => message !== "");
        JSON.stringify(parsed.data);
        const line = parsed.lineOf(place);
        return Number.isInteger(line) && line >= 1;
      }),
      { numRuns: 1000 },
    );
  });

  it("parseYaml reads what JSON says", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        const parsed = parseYaml(text);
        if (Array.isArray(parsed)) throw new Error(parsed[0]?.message);
        expect(JSON.stringify(parsed.data)).toBe(text);
      }),
    );
  });

  it("splitFrontMatter loses nothing but the fences and the empty lines after them", () => {
    const word = fc.string({ maxLength: 20 }).filter((text) => text.trimEnd() !== "---");
    fc.assert(
      fc.property(fc.array(word), fc.string({ unit: "binary" }), (lines, body) => {
        const parts = splitFrontMatter(["---", ...lines, "---", body].join("\n"));
        expect(parts).toEqual({ yaml: lines.join("\n"), body: body.replace(/^\n+/, ""), firstLine: 2 });
      }),
    );
    fc.assert(fc.property(yamlish, (text) => void splitFrontMatter(text)));
  });

  it("the lenient check of a manifest ends in a value or in violations", () => {
    const keys = fc.constantFrom(
      "name",
      "version",
      "description",
      "runtime",
      "metadata",
      "compliance",
      "supervision",
      "x",
    );
    const { data } = fc.letrec<{ data: unknown }>((tie) => ({
      data: fc.oneof({ maxDepth: 4 }, fc.jsonValue({ maxDepth: 1 }), fc.dictionary(keys, tie("data"))),
    }));
    fc.assert(
      fc.property(data, (value) => {
        normaliseDialects(value);
        const { value: checked, violations } = checkLenient(AgentYaml, value);
        return (checked === undefined) === violations.length > 0;
      }),
      { numRuns: 500 },
    );
  });

  it("parseModelName keeps the model's name as the end of the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { provider, model } = parseModelName(text);
        return provider !== "" && text.endsWith(model) && (text === "" || model !== "");
      }),
    );
  });
});
