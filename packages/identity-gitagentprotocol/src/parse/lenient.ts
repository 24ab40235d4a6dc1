import type { z } from "zod";
import type { DataPath } from "./pointer.ts";
import { wordingOf } from "./wording.ts";

/** One violation of a schema. */
export interface Violation {
  readonly path: DataPath;
  readonly message: string;
}

/** The outcome of a lenient check: the typed value (absent when `violations` is not empty) and the keys nobody knows. */
export interface LenientResult<T> {
  readonly value?: T;
  readonly violations: readonly Violation[];
  readonly unknownKeys: readonly DataPath[];
}

/** Checks `data` against a closed schema; unknown keys are taken out of it and reported apart from the violations. */
export function checkLenient<T>(schema: z.ZodType<T>, data: unknown): LenientResult<T> {
  const unknownKeys: DataPath[] = [];
  // Refinements run only once the shape is right, so a second round can find what the first could not see.
  for (;;) {
    const parsed = schema.safeParse(data);
    if (parsed.success) return { value: parsed.data, violations: [], unknownKeys };
    const found = parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...steps(issue.path), key]) : [],
    );
    const removed = found.filter((path) => removeAt(data, path));
    unknownKeys.push(...removed);
    if (removed.length > 0) continue;
    const violations = parsed.error.issues.map((issue) => {
      const path = steps(issue.path);
      return { path, message: wordingOf(issue, valueAt(data, path)) };
    });
    return { violations, unknownKeys };
  }
}

function steps(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((step) => (typeof step === "symbol" ? String(step) : step));
}

function valueAt(data: unknown, path: DataPath): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, step)?.value;
  }
  return value;
}

function removeAt(data: unknown, path: DataPath): boolean {
  const parent = valueAt(data, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof parent !== "object" || parent === null || key === undefined) return false;
  return Object.hasOwn(parent, key) && Reflect.deleteProperty(parent, key);
}
