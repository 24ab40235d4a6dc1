import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { validateAgent } from "./validate-agent.ts";

const shared = fileURLToPath(new URL("../../../../../shared/gap", import.meta.url));
const present = existsSync(`${shared}/schema-results.json`);
const title = `the recorded outcomes of the published schemas${present ? "" : " (skipped: ../shared/gap is absent)"}`;

const Outcomes = z.object({
  results: z.array(
    z.object({
      file: z.string(),
      schema: z.string().nullable(),
      errors: z.array(z.object({ path: z.string(), keyword: z.string(), detail: z.string() })),
    }),
  ),
});

/** Rules that speak for a schema. */
const SCHEMA_RULES = /^(?:A2|H1|T1|K1|K2|X1|X2|X3|X13|X15|X17|X20|X24)$/;

describe.skipIf(!present)(title, () => {
  it("are what strict finds, place by place and nothing else", async () => {
    const { results } = Outcomes.parse(JSON.parse(await readFile(`${shared}/schema-results.json`, "utf8")));
    const expected = results
      .filter(({ schema }) => schema !== null)
      .flatMap(({ file, errors }) =>
        errors.map(({ path, keyword, detail }) => {
          const at = path === "/" ? "" : path;
          return `${file}#${keyword === "additionalProperties" ? `${at}/${detail}` : at}`;
        }),
      );
    const found: string[] = [];
    const examples = join(shared, "examples");
    for (const example of await readdir(examples)) {
      const { findings } = await validateAgent(join(examples, example), { profile: "strict" });
      for (const { rule, file, pointer } of findings) {
        if (SCHEMA_RULES.test(rule)) found.push(`examples/${example}/${file}#${pointer}`);
      }
    }
    expect(expected.length).toBeGreaterThan(20);
    expect(found.sort()).toEqual(expected.sort());
  });
});
