import fc from "fast-check";
import { z } from "zod";
import type { JsonValue } from "./json.ts";

const MOST = 4;
const KEY = fc.string({ minLength: 1, maxLength: 8 }).filter((key) => key !== "__proto__");
const JSON_VALUE: fc.Arbitrary<JsonValue> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonValue)
  .filter((value) => !JSON.stringify(value).includes("__proto__"));

interface Check {
  readonly check: string;
  readonly minimum?: number;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly pattern?: RegExp;
}

function checksOf(schema: z.ZodType): Check[] {
  const checks = schema.def.checks ?? [];
  return checks.map((check) => ("def" in check ? check.def : check._zod.def) as unknown as Check);
}

const leastLength = (schema: z.ZodType): number =>
  checksOf(schema).find(({ check }) => check === "min_length")?.minimum ?? 0;

function text(schema: z.ZodString): fc.Arbitrary<string> {
  const pattern = checksOf(schema).find((check) => check.pattern)?.pattern;
  const minLength = leastLength(schema);
  return pattern ? fc.stringMatching(pattern) : fc.string({ minLength, maxLength: minLength + 20, unit: "grapheme" });
}

function number(schema: z.ZodNumber): fc.Arbitrary<number> {
  const above = checksOf(schema).find(({ check }) => check === "greater_than");
  const min = Math.max(above?.value ?? -1000, -1000);
  const max = Math.min(schema.maxValue ?? 1_000_000, 1_000_000);
  if (schema.isInt) return fc.integer({ min, max });
  const minExcluded = above !== undefined && !above.inclusive;
  return fc.double({ min, max, noNaN: true, minExcluded }).map((value) => value || 0);
}

function object(schema: z.ZodObject): fc.Arbitrary<unknown> {
  const shape = schema.shape as Record<string, z.ZodType>;
  const entries = Object.entries(shape).map(([key, field]) => [key, arbitraryOf(field)] as const);
  const requiredKeys = Object.keys(shape).filter((key) => !(shape[key] instanceof z.ZodOptional));
  return fc.record(Object.fromEntries(entries), { requiredKeys, noNullPrototype: true });
}

/** Values that a schema accepts, for property tests. Knows the kinds of schema that this package uses, and no others. */
export function arbitraryOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodString) return text(schema);
  if (schema instanceof z.ZodNumber) return number(schema);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodUnknown) return JSON_VALUE;
  if (schema instanceof z.ZodOptional) return arbitraryOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap() as z.ZodType), { nil: null });
  if (schema instanceof z.ZodPreprocess) return arbitraryOf(schema.out as z.ZodType);
  if (schema instanceof z.ZodArray) {
    const minLength = leastLength(schema);
    return fc.array(arbitraryOf(schema.element as z.ZodType), { minLength, maxLength: minLength + MOST });
  }
  if (schema instanceof z.ZodRecord) {
    const keys =
      schema.keyType === undefined ? KEY : arbitraryOf(schema.keyType as z.ZodType).filter((k) => k !== "__proto__");
    return fc.dictionary(keys as fc.Arbitrary<string>, arbitraryOf(schema.valueType as z.ZodType), {
      maxKeys: MOST,
      noNullPrototype: true,
    });
  }
  if (schema instanceof z.ZodUnion)
    return fc.oneof(...schema.options.map((option) => arbitraryOf(option as z.ZodType)));
  if (schema instanceof z.ZodObject) return object(schema).filter((value) => schema.safeParse(value).success);
  throw new Error(`no arbitrary for a schema of type ${schema.type}`);
}
