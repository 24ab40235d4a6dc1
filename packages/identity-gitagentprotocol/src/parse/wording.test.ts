import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AgentYaml } from "../schema/agent-yaml.ts";
import { ToolYaml } from "../schema/tool.ts";
import { checkLenient } from "./lenient.ts";

function told(schema: z.ZodType, data: unknown): string[] {
  return checkLenient(schema, data).violations.map(({ path, message }) => `${path.join("/")} ${message}`);
}

const AGENT = { name: "a", version: "1.0.0", description: "d" };

describe("complaints", () => {
  it.each<[unknown, string]>([
    [null, " is empty: it must be a map"],
    [{ ...AGENT, version: 1 }, "version must be text, not a number: put it in quotes"],
    [{ ...AGENT, license: true }, "license must be text, not true or false: put it in quotes"],
    [{ ...AGENT, license: null }, "license is empty: it must be text"],
    [{ ...AGENT, name: undefined }, "name is required"],
    [{ ...AGENT, model: "claude" }, "model must be a map, not text"],
    [{ ...AGENT, agents: [] }, "agents must be a map, not a list"],
    [{ ...AGENT, tags: {} }, "tags must be a list, not a map"],
    [{ ...AGENT, runtime: { timeout: "5" } }, "runtime/timeout must be a number, not text"],
    [{ ...AGENT, runtime: { timeout: 0 } }, "runtime/timeout must be at least 1"],
    [{ ...AGENT, runtime: { temperature: 3 } }, "runtime/temperature must be at most 2"],
    [{ ...AGENT, runtime: { temperature: Number.NaN } }, "runtime/temperature must be a number that is finite"],
    [{ ...AGENT, delegation: { mode: "x" } }, "delegation/mode must be one of auto, explicit, router"],
    [
      { ...AGENT, compliance: { supervision: { kill_switch: 1 } } },
      "compliance/supervision/kill_switch must be true or false, not a number",
    ],
    [
      { ...AGENT, dependencies: [{ name: "a", source: "b", vendor_management: { due_diligence_date: "x" } }] },
      "dependencies/0/vendor_management/due_diligence_date must be a date such as 2026-01-15",
    ],
    [{ ...AGENT, version: "1" }, "version must be a version such as 1.0.0 or 1.0.0-beta.1"],
  ])("of a manifest: %j", (data, expected) => {
    expect(told(AgentYaml, data)).toEqual([expected]);
  });

  it("of duties count entries", () => {
    const duties = { roles: [], conflicts: [["a"]], assignments: { x: [] } };
    expect(told(AgentYaml, { ...AGENT, compliance: { segregation_of_duties: duties } })).toEqual([
      "compliance/segregation_of_duties/roles must have at least 2 entries",
      "compliance/segregation_of_duties/conflicts/0 must have exactly 2 entries",
      "compliance/segregation_of_duties/assignments/x must have at least 1 entry",
    ]);
  });

  it("of a tool name the one value", () => {
    const tool = { name: "t", description: "d", input_schema: { type: "array", properties: {} } };
    expect(told(ToolYaml, tool)).toEqual(["input_schema/type must be object"]);
  });

  it("without words of ours are passed on", () => {
    expect(told(z.strictObject({ a: z.email() }), { a: "x" })).toEqual(["a is not valid: Invalid email address"]);
  });
});
