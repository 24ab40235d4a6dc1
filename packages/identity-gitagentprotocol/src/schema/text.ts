import { whole } from "@computeragent/protocol";
import { z } from "zod";

/** Identifier of agents, skills and tools in manifests. */
export const Name = z.string().regex(/^[a-z][a-z0-9-]*$/, {
  error: "must begin with a lower-case letter and hold only lower-case letters, digits and hyphens",
});

/** Three numbers, perhaps with a pre-release and build part; those of the published schemas hold no hyphens. */
export const SemVer = z.string().regex(/^\d+\.\d+\.\d+(-[a-zA-Z0-9.]+)?(\+[a-zA-Z0-9.]+)?$/, {
  error: "must be a version such as 1.0.0 or 1.0.0-beta.1",
});

/** An absolute URI as RFC 3986 spells it; templates with braces are none. */
export const Uri = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i, { error: "must be an absolute URI" });

/** A map from any names to `value`. */
export function mapOf<T extends z.ZodType>(value: T) {
  return whole(z.record(z.string(), value));
}

/** A list without repeats. */
export function uniqueList<T extends z.ZodType<string>>(item: T) {
  return z.array(item).refine((list) => new Set(list).size === list.length, { error: "must not repeat an entry" });
}

/** Text of at most `max` characters (code points, as JSON Schema counts them). */
export function textUpTo(max: number) {
  return z
    .string()
    .min(1, { error: "must not be empty" })
    .refine((text) => text.length <= max || [...text].length <= max, { error: `must have at most ${max} characters` });
}

/** A whole number of at least `min`. */
export function wholeFrom(min: number) {
  return z.number().min(min).refine(Number.isInteger, { error: "must be a whole number" });
}

/** Name of a skill: at most 64 characters, as the Agent Skills standard has it. */
export const SkillName = textUpTo(64).regex(/^[a-z](?:[a-z0-9]|-(?!-))*[a-z0-9]$|^[a-z]$/, {
  error: "must be lower-case letters, digits and single hyphens, beginning with a letter and not ending in a hyphen",
});

const TIME = /^[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A point in time as RFC 3339 spells it, with its offset. */
export const DateTime = z
  .string()
  .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success && TIME.test(text.slice(10)), {
    error: "must be a time such as 2026-01-15T10:00:00Z",
  });
