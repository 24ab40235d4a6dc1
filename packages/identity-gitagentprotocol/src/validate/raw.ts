/** Plain object of data that nothing is known about. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What lies at a path of own keys; undefined when the path leads nowhere. */
export function valueAt(data: unknown, ...path: readonly (string | number)[]): unknown {
  let value = data;
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** The object at a path, if there is one. */
export function recordAt(data: unknown, ...path: readonly (string | number)[]): Record<string, unknown> | undefined {
  const value = valueAt(data, ...path);
  return isRecord(value) ? value : undefined;
}

/** The list at a path; empty when there is none. */
export function listAt(data: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = valueAt(data, ...path);
  return Array.isArray(value) ? value : [];
}

/** The text at a path, if there is one. */
export function textAt(data: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = valueAt(data, ...path);
  return typeof value === "string" ? value : undefined;
}

/** The texts of a list with their positions; other items are left out. */
export function textsAt(data: unknown, ...path: readonly (string | number)[]): (readonly [number, string])[] {
  return listAt(data, ...path).flatMap((item, index) => (typeof item === "string" ? [[index, item] as const] : []));
}
