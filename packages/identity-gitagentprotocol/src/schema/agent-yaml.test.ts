import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import { AgentYaml } from "./agent-yaml.ts";
import { changed, type Json, pathsOf, SAMPLES } from "./changes.test-support.ts";
import { SkillFrontMatter } from "./skill.ts";

const shared = fileURLToPath(new URL("../../../../../shared/gap", import.meta.url));
const present = existsSync(`${shared}/spec/schemas`);
const title = `the published schemas${present ? "" : " (skipped: ../shared/gap is absent)"}`;

describe.skipIf(!present)(title, { timeout: 120_000 }, () => {
  let published: { agent: ValidateFunction; skill: ValidateFunction };
  let full: Json;

  beforeAll(async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const compile = async (name: string): Promise<ValidateFunction> =>
      ajv.compile(JSON.parse(await readFile(`${shared}/spec/schemas/${name}.schema.json`, "utf8")));
    published = { agent: await compile("agent-yaml"), skill: await compile("skill") };
    full = parse(await readFile(`${shared}/examples/full/agent.yaml`, "utf8"));
  });

  const agrees = (schema: z.ZodType, validate: ValidateFunction, value: Json): void => {
    const verdict = schema.safeParse(value).success;
    if (verdict !== validate(value)) {
      throw new Error(
        `${verdict ? "accepts" : "refuses"} what the published schema does not: ${JSON.stringify(value).slice(0, 2_000)}`,
      );
    }
  };

  it("say the same about every change of one place of the fullest example", () => {
    let changes = 0;
    for (const path of pathsOf(full)) {
      for (const value of SAMPLES) {
        agrees(AgentYaml, published.agent, changed(full, path, value));
        changes += 1;
      }
      agrees(AgentYaml, published.agent, changed(full, path, undefined));
      agrees(AgentYaml, published.agent, changed(full, [...path, "unheard_of"], 1));
    }
    expect(changes).toBeGreaterThan(1_000);
  });

  it("say the same about two changes at once, and about blocks that the example lacks", () => {
    const paths = pathsOf(full);
    const edit = fc.tuple(fc.constantFrom(...paths), fc.constantFrom(...SAMPLES, undefined));
    fc.assert(
      fc.property(edit, edit, ([pathA, a], [pathB, b]) => {
        agrees(AgentYaml, published.agent, changed(changed(full, pathA, a), pathB, b));
      }),
      { numRuns: 2_000 },
    );
    for (const [path, value] of BLOCKS) agrees(AgentYaml, published.agent, changed(full, path, value));
  });

  it("say the same about skill frontmatter", () => {
    const base = { name: "a-skill", description: "Does", metadata: { author: "x" }, "allowed-tools": "Read" };
    for (const path of pathsOf(base)) {
      for (const value of SAMPLES) agrees(SkillFrontMatter, published.skill, changed(base, path, value));
      agrees(SkillFrontMatter, published.skill, changed(base, path, undefined));
    }
    for (const name of ["a", "a-", "-a", "a--b", "A", "1a", "a1", "a".repeat(64), "a".repeat(65), "ä"]) {
      agrees(SkillFrontMatter, published.skill, { ...base, name });
    }
    for (const description of ["", "x".repeat(1024), "x".repeat(1025), "😀".repeat(1024), "😀".repeat(1025)]) {
      agrees(SkillFrontMatter, published.skill, { ...base, description });
    }
  });
});

const BLOCKS: [string[], Json][] = [
  [["compliance", "financial_governance"], { enabled: true }],
  [["compliance", "financial_governance"], { enabled: true, spending: {} }],
  [["compliance", "financial_governance"], { enabled: true, spending: { max_per_transaction_cents: 1 } }],
  [["compliance", "financial_governance"], { enabled: true, approval: { require_above_cents: 0 } }],
  [["compliance"], { risk_tier: "critical" }],
  [["compliance"], { risk_tier: "low", supervision: { human_in_the_loop: "none" } }],
  [["compliance"], { supervision: { human_in_the_loop: "destructive" } }],
  [["a2a"], { url: "https://a.example", protocols: ["a2a", "mcp"], authentication: { type: "mtls" } }],
  [["a2a"], { url: "a.example" }],
  [["registries"], [{ name: "x", url: "https://r.example" }]],
  [["registries"], [{ url: "https://r.example" }]],
  [["runtime"], { budget_usd: 1 }],
  [["model"], "claude"],
];
