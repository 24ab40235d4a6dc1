import type { z } from "zod";

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

/** A schema's complaint about a value in plain words, to follow the name of its place: "must be text, not a list". */
export function wordingOf(issue: z.core.$ZodIssue, value: unknown): string {
  // Words of our own say better what is wrong, also when something is missing.
  if (!/^(?:Invalid|Too) /.test(issue.message)) return issue.message;
  if (value === undefined) return "is required";
  if (issue.code === "invalid_type") return mustBe(issue.expected, value);
  if (issue.code === "invalid_value") {
    const values = issue.values.map(String);
    return `must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;
  }
  if (issue.code === "too_small") {
    return bound(issue.origin, issue.exact ? "exactly" : "at least", issue.minimum);
  }
  if (issue.code === "too_big") {
    return bound(issue.origin, issue.exact ? "exactly" : "at most", issue.maximum);
  }
  if (issue.code === "invalid_format" && issue.format === "date") return "must be a date such as 2026-01-15";
  return `is not valid: ${issue.message}`;
}

function mustBe(expected: string, value: unknown): string {
  const wanted = KINDS[expected] ?? expected;
  if (value === null) return `is empty: it must be ${wanted}`;
  const kind = Array.isArray(value) ? "array" : typeof value;
  const hint = expected === "string" && (kind === "number" || kind === "boolean") ? ": put it in quotes" : "";
  if (kind === expected) return `must be ${wanted} that is finite`;
  return `must be ${wanted}, not ${KINDS[kind] ?? kind}${hint}`;
}

function bound(origin: string, how: string, limit: number | bigint): string {
  if (origin !== "array") return `must be ${how} ${limit}`;
  return `must have ${how} ${limit} ${Number(limit) === 1 ? "entry" : "entries"}`;
}
