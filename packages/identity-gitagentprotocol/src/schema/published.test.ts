import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { splitFrontMatter } from "../parse/front-matter.ts";
import { AgentYaml } from "./agent-yaml.ts";
import { changed, type Json, pathsOf, SAMPLES } from "./changes.test-support.ts";
import { ConfigYaml } from "./config.ts";
import { HooksYaml } from "./hooks.ts";
import { KnowledgeIndex } from "./knowledge.ts";
import { MarketplaceJson } from "./marketplace.ts";
import { MemoryYaml } from "./memory.ts";
import { SkillFrontMatter } from "./skill.ts";
import { ToolYaml } from "./tool.ts";
import { WHOLE } from "./whole.test-support.ts";
import { WorkflowYaml } from "./workflow.ts";

const shared = fileURLToPath(new URL("../../../../../shared/gap", import.meta.url));
const present = existsSync(`${shared}/spec/schemas`);
const title = `the published schemas${present ? "" : " (skipped: ../shared/gap is absent)"}`;

const OURS: Readonly<Record<string, z.ZodType>> = {
  "agent-yaml": AgentYaml,
  config: ConfigYaml,
  hooks: HooksYaml,
  knowledge: KnowledgeIndex,
  marketplace: MarketplaceJson,
  memory: MemoryYaml,
  skill: SkillFrontMatter,
  tool: ToolYaml,
  workflow: WorkflowYaml,
};

const Outcomes = z.object({
  results: z.array(z.object({ file: z.string(), schema: z.string().nullable(), valid: z.boolean().nullable() })),
});

describe.skipIf(!present)(title, { timeout: 120_000 }, () => {
  const published = new Map<string, ValidateFunction>();

  beforeAll(async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const name of Object.keys(OURS)) {
      published.set(
        name,
        ajv.compile(JSON.parse(await readFile(`${shared}/spec/schemas/${name}.schema.json`, "utf8"))),
      );
    }
  });

  const agrees = (name: string, value: Json): void => {
    const verdict = OURS[name]?.safeParse(value).success;
    if (verdict === published.get(name)?.(value)) return;
    const text = JSON.stringify(value).slice(0, 2_000);
    throw new Error(`${name}: ${verdict ? "accepts" : "refuses"} what the published schema does not: ${text}`);
  };

  it("say the same about every example", async () => {
    const { results } = Outcomes.parse(JSON.parse(await readFile(`${shared}/schema-results.json`, "utf8")));
    const known = results.filter(({ schema }) => schema !== null);
    expect(known.length).toBeGreaterThan(50);
    for (const { file, schema, valid } of known) {
      const text = await readFile(`${shared}/${file}`, "utf8");
      const data: Json = parse(file.endsWith(".md") ? (splitFrontMatter(text)?.yaml ?? "") : text);
      expect([file, OURS[schema ?? ""]?.safeParse(data).success]).toEqual([file, valid]);
    }
  });

  it.each(Object.entries(WHOLE))("say the same about every change of one place: %s", (name, whole) => {
    expect(OURS[name]?.safeParse(whole).error).toBeUndefined();
    agrees(name, whole);
    for (const path of pathsOf(whole)) {
      for (const value of SAMPLES) agrees(name, changed(whole, path, value));
      agrees(name, changed(whole, path, undefined));
      agrees(name, changed(whole, [...path, "unheard_of"], 1));
    }
  });

  it.each(Object.entries(WHOLE))("say the same about three changes at once: %s", (name, whole) => {
    const edit = fc.tuple(fc.constantFrom(...pathsOf(whole)), fc.constantFrom(...SAMPLES, undefined));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 2, maxLength: 3 }), (edits) => {
        agrees(
          name,
          edits.reduce<Json>((value, [path, sample]) => changed(value, path, sample), whole),
        );
      }),
      { numRuns: 1_000 },
    );
  });
});
