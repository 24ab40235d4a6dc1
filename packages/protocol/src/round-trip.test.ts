import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "./arbitrary.test-support.ts";
import { NAMED_SCHEMAS } from "./emit/schema-source.ts";
import { CreateSessionBody, isShallow, JsonObjectSchema, MAX_JSON_DEPTH, parseEvent, ROUTES } from "./index.ts";

const bodies = new Set<unknown>(Object.values(ROUTES).flatMap((route) => ("body" in route ? [route.body] : [])));

describe.each([...NAMED_SCHEMAS])("%s", (_name, schema) => {
  it("takes what it describes, and takes it again from JSON, unchanged", () => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const parsed = schema.parse(value);
        expect(parsed).toEqual(value);
        expect(schema.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(value);
      }),
      { numRuns: 60 },
    );
  });

  it("refuses what is no value of it", () => {
    for (const wrong of [undefined, 7.5, "", [], () => 0]) expect(schema.safeParse(wrong).success).toBe(false);
  });
});

describe("unknown fields", () => {
  const objects = [...NAMED_SCHEMAS].filter(([, schema]) => schema.type === "object");
  it.each(objects)("%s: refused in bodies, tolerated in what a host sends", (_name, schema) => {
    fc.assert(
      fc.property(arbitraryOf(schema), (value) => {
        const extended = { ...(value as object), fieldOfALaterRevision: 1 };
        if (bodies.has(schema)) expect(schema.safeParse(extended).success).toBe(false);
        else if (schema.safeParse(extended).success) expect(schema.parse(extended)).toMatchObject(value as object);
        else expect(NESTED_IN_BODIES).toContain(_name);
      }),
      { numRuns: 10 },
    );
  });
});

/** Parts of bodies: as strict as these. */
const NESTED_IN_BODIES = ["Attachment", "IdentityRef", "Limits", "UserMessage"];

describe("hostile JSON", () => {
  it("never touches a prototype, and keeps nested data as it is", () => {
    const text = '{"__proto__":{"polluted":1},"a":{"__proto__":{"b":2}},"constructor":{"prototype":{"polluted":1}}}';
    const parsed = JsonObjectSchema.parse(JSON.parse(text));
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(JSON.stringify(parsed.a)).toBe('{"__proto__":{"b":2}}');
    expect(
      CreateSessionBody.safeParse(JSON.parse('{"engine":"x","__proto__":{"route":"r"}}')).data?.route,
    ).toBeUndefined();
    expect(parseEvent(0, "sdk_message", JSON.parse(text)).success).toBe(true);
  });

  it("refuses bodies that nest too deep, without overflowing", () => {
    const nested = (depth: number) => JSON.parse(`{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    const create = (depth: number) => CreateSessionBody.safeParse({ engine: "x", options: nested(depth) });
    expect(create(MAX_JSON_DEPTH - 2).success).toBe(true);
    const refused = create(5000);
    expect(refused.success).toBe(false);
    expect(refused.error?.issues[0]?.message).toContain("nests deeper");
    const content = [{ type: "text", deep: nested(100_000) }];
    expect(CreateSessionBody.safeParse({ engine: "x", messages: [{ role: "user", content }] }).success).toBe(false);
    expect(isShallow(Array.from({ length: 1000 }, () => ({ a: [1] })))).toBe(true);
  });
});
