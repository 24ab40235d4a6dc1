import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { GapAgent } from "../model/gap-agent.ts";
import { placeIn } from "../parse/pointer.ts";
import { AgentYaml } from "../schema/agent-yaml.ts";
import { translate } from "./translate.ts";

type Path = readonly (string | number)[];
type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** Every leaf of a JSON schema with a value of its type. */
function leaves(node: unknown, path: Path = []): (readonly [Path, unknown])[] {
  if (!isNode(node)) return [];
  if (Array.isArray(node.anyOf)) return leaves(node.anyOf[0], path);
  if (isNode(node.properties))
    return Object.entries(node.properties).flatMap(([key, item]) => leaves(item, [...path, key]));
  if (node.type === "object") return leaves(node.additionalProperties, [...path, "x"]);
  if (node.type === "array") return leaves(node.items, [...path, 0]);
  if (Array.isArray(node.enum)) return [[path, node.enum[0]]];
  return [[path, node.type === "boolean" ? true : node.type === "number" || node.type === "integer" ? 1 : "9.9.9"]];
}

function wrap(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, step) => (typeof step === "number" ? [inner] : { [step]: inner }), value);
}

function agentOf(more: unknown): GapAgent {
  const manifest = { name: "a", version: "1.0.0", description: "d", ...(isNode(more) ? more : {}) } as AgentYaml;
  const hitl = manifest.compliance?.supervision?.human_in_the_loop;
  return {
    manifest,
    ...(hitl ? { hitl } : {}),
    documents: { soul: { file: "SOUL.md", text: "s" } },
    knowledge: [],
    skills: [],
    otherParts: [],
  };
}

// The version is told in the loader's info, the list of skills has done its work when the skills are read.
const ELSEWHERE = new Set(["version", "skills"]);
const all = leaves(z.toJSONSchema(AgentYaml, { unrepresentable: "any" })).filter(
  ([[key]]) => !ELSEWHERE.has(String(key)),
);

describe.each(["claude-agent-sdk", "mock"])("every leaf of the manifest, for %s", (engine) => {
  it("is walked", () => expect(all.length).toBeGreaterThan(100));

  it.each(all.map(([path, value]) => [placeIn("agent.yaml", path), path, value] as const))(
    "is honoured or noticed: %s",
    (_place, path, value) => {
      const { notices: before, ...plain } = translate(agentOf({}), engine);
      const { notices, ...told } = translate(agentOf(wrap(path, value)), engine);
      const noticed = notices.some((notice) =>
        path.some((_step, index) => notice.path === placeIn("agent.yaml", path.slice(0, index + 1))),
      );
      expect(before).toEqual([]);
      expect(noticed || JSON.stringify(told) !== JSON.stringify(plain)).toBe(true);
    },
  );
});
