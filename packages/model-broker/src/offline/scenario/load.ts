import { isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { BUILT_IN } from "./compile.ts";
import { parseCondition } from "./condition.ts";
import { type Scenario, ScenarioSchema, type ScenarioStep } from "./schema.ts";
import { parseTemplate } from "./template.ts";

type Path = readonly PropertyKey[];

/** What is wrong in a scenario file. Lines count from 1. */
export interface ScenarioProblem {
  readonly file: string;
  readonly line: number;
  /** Where in the file, like `steps.2.capture`. */
  readonly path: string;
  readonly message: string;
}

/** A scenario file that cannot be used; the message lists every problem as `FILE:LINE: PATH: MESSAGE`. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly problems: readonly ScenarioProblem[];

  constructor(problems: readonly ScenarioProblem[]) {
    super(
      problems
        .map(({ file, line, path, message }) => `${file}:${line}: ${path ? `${path}: ` : ""}${message}`)
        .join("\n"),
    );
    this.problems = problems;
  }
}

/** The deepest issues of a union tell most. */
function flatten(issue: z.core.$ZodIssue, base: Path = []): { path: Path; message: string }[] {
  const path = [...base, ...issue.path];
  if (issue.code !== "invalid_union") return [{ path, message: issue.message }];
  const branches = issue.errors.map((issues) => issues.flatMap((inner) => flatten(inner, path)));
  const depth = (found: readonly { path: Path }[]): number => Math.max(0, ...found.map((item) => item.path.length));
  const custom = issue.errors.findIndex((issues) => issues.some((inner) => inner.code === "custom"));
  const best = branches[custom] ?? branches.toSorted((a, b) => depth(b) - depth(a))[0];
  return best && best.length > 0 ? best : [{ path, message: issue.message }];
}

/** Every template and comparison inside a value, with the names it uses. */
function* namesIn(value: unknown, path: Path): Generator<{ path: Path; names: readonly string[] }> {
  if (typeof value === "string") {
    const isWhen = path.includes("when");
    yield { path, names: (isWhen ? parseCondition(value) : parseTemplate(value)).names };
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value))
      yield* namesIn(item, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function* unknownNames(scenario: Scenario, base: Path): Generator<{ path: Path; message: string }> {
  const known = new Set<string>(BUILT_IN);
  for (const [index, step] of scenario.steps.entries()) {
    const { capture, ...rest }: ScenarioStep = step;
    for (const { path, names } of namesIn(rest, [...base, "steps", index])) {
      for (const name of names) {
        if (!known.has(name)) yield { path, message: `{{${name}}} is captured by no earlier step` };
      }
    }
    for (const name of Object.keys(capture ?? {})) known.add(name);
  }
}

/** Reads scenarios from a YAML text: one mapping, or a list of them. Throws `ScenarioError` with file and line. */
export function loadScenarios(yamlText: string, fileName: string): Scenario[] {
  const lines = new LineCounter();
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const problem = (line: number, path: Path, message: string): ScenarioProblem => ({
    file: fileName,
    line,
    path: path.map(String).join("."),
    message,
  });
  if (document.errors.length > 0) {
    throw new ScenarioError(
      document.errors.map((error) => problem(lines.linePos(error.pos[0]).line, [], error.message)),
    );
  }
  const lineOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const fail = (found: readonly { path: Path; message: string }[]): never => {
    throw new ScenarioError(found.map(({ path, message }) => problem(lineOf(path), path, message)));
  };
  let content: unknown;
  try {
    content = document.toJS();
  } catch (error) {
    // An alias of nothing, or of so much that it would never end.
    throw new ScenarioError([problem(1, [], error instanceof Error ? error.message : String(error))]);
  }
  const isList = Array.isArray(content);
  const parsed = z.array(ScenarioSchema).safeParse(isList ? content : [content]);
  const inFile = (path: Path): Path => (isList ? path : path.slice(1));
  if (!parsed.success) {
    return fail(
      parsed.error.issues.flatMap((issue) => flatten(issue)).map((item) => ({ ...item, path: inFile(item.path) })),
    );
  }
  const unknown = parsed.data.flatMap((scenario, index) => [...unknownNames(scenario, inFile([index]))]);
  return unknown.length > 0 ? fail(unknown) : parsed.data;
}
