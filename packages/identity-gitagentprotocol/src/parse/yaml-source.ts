import { type Document, isMap, isNode, isPair, isScalar, LineCounter, parseAllDocuments, visit } from "yaml";
import type { DataPath } from "./pointer.ts";
import { tooDeepText, withoutCycles } from "./yaml-guards.ts";

/** A YAML text as plain data. `lineOf` gives the line (from 1) of a place, or of the nearest place around it. */
export interface YamlSource {
  readonly data: unknown;
  lineOf(path: DataPath): number;
}

/** Why a text is not one YAML document. `line` counts from 1 where known. */
export interface YamlProblem {
  readonly message: string;
  readonly line?: number;
}

/** So many aliases are allowed, and so many copies may they make: "billion laughs" documents need more. */
const MAX_ALIASES = 100;

/** Parses one YAML 1.2 document (core schema). Duplicate keys, unknown tags and second documents are problems. */
export function parseYaml(text: string, firstLine = 1): YamlSource | YamlProblem[] {
  if (tooDeepText(text)) return [{ message: "is nested too deeply" }];
  const counter = new LineCounter();
  const lineAt = (offset: number): number => counter.linePos(offset).line + firstLine - 1;
  try {
    const documents = parseAllDocuments(text, {
      version: "1.2",
      schema: "core",
      // The parser's own check compares every pair of keys; `duplicates` below is linear.
      uniqueKeys: false,
      lineCounter: counter,
      prettyErrors: false,
      logLevel: "error",
    });
    const [document, second] = Array.isArray(documents) ? documents : [];
    if (!document) return [{ message: "is empty" }];
    const problems: YamlProblem[] = [...document.errors, ...document.warnings].map((error) => ({
      message: oneLine(error.message),
      line: lineAt(error.pos[0]),
    }));
    if (second) problems.push({ message: "must hold one YAML document only", line: lineAt(second.range[0]) });
    if (problems.length === 0) problems.push(...forbidden(document, lineAt));
    if (problems.length > 0) return problems;
    const data: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (!withoutCycles(data)) return [{ message: "holds an alias of something around it" }];
    return { data, lineOf: (path) => lineAt(offsetOf(document, path)) };
  } catch (error) {
    if (error instanceof RangeError) return [{ message: "is nested too deeply" }];
    return [{ message: error instanceof Error ? oneLine(error.message) : "cannot be read" }];
  }
}

/** Keys that stand twice in one map, and too many aliases. */
function forbidden(document: Document, lineAt: (offset: number) => number): YamlProblem[] {
  const problems: YamlProblem[] = [];
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases += 1;
    },
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : undefined;
        if (name === undefined) continue;
        const line = isNode(key) && key.range ? lineAt(key.range[0]) : undefined;
        if (seen.has(name)) problems.push({ message: `repeats the key "${name}"`, ...(line ? { line } : {}) });
        seen.add(name);
      }
    },
  });
  if (aliases > MAX_ALIASES) problems.push({ message: `holds more than ${MAX_ALIASES} aliases` });
  return problems;
}

function oneLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}

/** Offset of the key, item or value at a path; of the deepest known ancestor if the path leads nowhere. */
function offsetOf(document: Document, path: DataPath): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const step = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === step);
      if (pair && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
