/** Data as JSON and YAML hold it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Values that schemas tend to disagree about. */
export const SAMPLES: Json[] = [
  null,
  true,
  0,
  1,
  -1,
  0.5,
  3,
  1e21,
  "",
  "x",
  "always",
  "none",
  "high",
  "string",
  "object",
  "http",
  "script",
  "mcp_server",
  "1.0.0",
  "1.0.0-rc-1",
  "01.2.3+b.1",
  "9.9.9",
  "2026-01-15",
  "2026-02-29",
  "2028-02-29",
  "2028-02-29T23:59:59.5+01:00",
  "2026-02-29T10:00:00Z",
  "2026-01-15T24:00:00Z",
  "2026-01-15T10:00:00",
  "90d",
  "0y",
  "d",
  "localhost:3000/mcp",
  "https://a.example/%7B",
  "https://a.example/{x}",
  "$" + "{URL}",
  "a--b-",
  "Upper",
  [],
  ["x"],
  ["x", "x"],
  ["a", "b", "c"],
  [null],
  [{}],
  {},
  { x: "y" },
  { x: null },
  { x: {} },
  { type: "string" },
  { x: { type: "string" } },
];

/** Paths of a value and of everything in it. */
export function pathsOf(value: Json, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))];
}

/** A copy with another value at a path; undefined takes the place out. */
export function changed(root: Json, path: readonly string[], value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? {};
  if (typeof root !== "object" || root === null) return root;
  const copy: Json = Array.isArray(root) ? [...root] : { ...root };
  const entry = Object.entries(copy).find(([name]) => name === key)?.[1];
  const next = rest.length === 0 ? value : changed(entry ?? null, rest, value);
  if (Array.isArray(copy)) {
    if (next === undefined) copy.splice(Number(key), 1);
    else copy[Number(key)] = next;
  } else if (next === undefined) delete copy[key];
  else copy[key] = next;
  return copy;
}
