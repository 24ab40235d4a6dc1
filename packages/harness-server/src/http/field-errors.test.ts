import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fieldErrors } from "./json-body.ts";

const Body = z.strictObject({ list: z.array(z.string()).optional() });

describe("what is told about a body that is not valid", () => {
  it.each([
    ["unknown fields", Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`field${i}`, 1]))],
    ["a name without end", { ["x".repeat(1_000_000)]: 1 }],
    ["wrong elements", { list: Array.from({ length: 5000 }, () => 1) }],
  ])("is short whatever was sent: %s", (_what, body) => {
    const result = Body.safeParse(body);
    const errors = result.error ? fieldErrors(result.error) : [];
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(errors).length).toBeLessThan(20_000);
  });
});
