import type { JsonObject, JsonValue } from "@computeragent/protocol";

/** Anything that may stand at a place of a JSON value. */
type Maybe = JsonValue | undefined;

/** True for JSON objects, which lists are not. */
export const isObject = (value: Maybe): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value if it is a JSON object, else an empty one. */
export const objectOf = (value: Maybe): JsonObject => (isObject(value) ? value : {});

/** The value if it is a list, else an empty one. */
export const listOf = (value: Maybe): readonly JsonValue[] => (Array.isArray(value) ? value : []);

/** The value if it is a string. */
export const stringOf = (value: Maybe): string | undefined => (typeof value === "string" ? value : undefined);

/** The value if it is a string that is not empty. */
export const idOf = (value: Maybe): string | undefined => stringOf(value) || undefined;

/** The value if it is a string, else "". */
export const textOf = (value: Maybe): string => stringOf(value) ?? "";

/** The value if it is a whole number from 0 on. */
export const countOf = (value: Maybe): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** The strings of a list. */
export const stringsOf = (value: Maybe): string[] => listOf(value).filter((item) => typeof item === "string");

/** The value if it is one of `known`, else `otherwise`. */
export function oneOf<T extends string>(known: readonly T[], value: Maybe, otherwise: T): T {
  return known.find((item) => item === value) ?? otherwise;
}

/** `{[key]: value}`, or nothing when there is no value: for optional properties. */
export function given<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}

/** An own property of a record whose keys come from outside. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A copy of a record with an own property set, whatever its name. */
export function withKey<T>(record: Readonly<Record<string, T>>, key: string, value: T): Record<string, T> {
  return { ...record, [key]: value };
}

/** A copy of a record without a key; the record itself if it has none. */
export function withoutKey<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, key)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}
