import type { z } from "zod";
import { checkLenient } from "../parse/lenient.ts";
import { type DataPath, toPointer } from "../parse/pointer.ts";
import { parseYaml } from "../parse/yaml-source.ts";
import type { RuleId } from "./rules.ts";
import { report, reportFile, type Scope, targetOf, type YamlFile } from "./scope.ts";
import { checkText } from "./secrets.ts";

/** What is read of one structured file. */
const MAX_BYTES = 64 * 1024;
/** What is parsed of one agent: real ones hold a hundredth, and hostile YAML costs seconds a megabyte. */
const MAX_YAML = 2 * 1024 ** 2;

/** One violation of a schema, or (`unknown`) a key that it does not know. */
interface Complaint {
  readonly path: DataPath;
  readonly message: string;
  readonly unknown: boolean;
}

/** A text of the agent, with LF line ends. `rule` is reported when it exists and cannot be read, and when `required` is missing. */
export async function readText(
  scope: Scope,
  file: string,
  rule: RuleId,
  maxBytes: number,
  required = false,
): Promise<{ readonly text: string; readonly cut: boolean } | undefined> {
  scope.signal?.throwIfAborted();
  try {
    const content = await scope.folder.readText(scope.prefix + file, maxBytes);
    if (content.kind === "text") {
      checkText(scope, file, content.text);
      return content;
    }
    if (content.kind === "refused") reportFile(scope, rule, file, content.why);
    else if ((await targetOf(scope, file)) === "outside") reportFile(scope, rule, file, "leads outside of the agent");
    else if (required) reportFile(scope, rule, file, "is missing");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    reportFile(scope, rule, file, `cannot be read${code}`);
  }
  return undefined;
}

/** Reads and parses a YAML file; undefined when it is not there (a finding only if `required`) or no YAML. */
export async function readYamlFile(
  scope: Scope,
  file: string,
  rule: RuleId,
  required = false,
): Promise<YamlFile | undefined> {
  const text = await readWhole(scope, file, rule, required);
  return text === undefined ? undefined : parseYamlText(scope, file, text, rule);
}

/** Reads and parses a JSON file; undefined when it is not there or no JSON. The YAML parser knows the lines of JSON, too. */
export async function readJsonFile(scope: Scope, file: string, rule: RuleId): Promise<YamlFile | undefined> {
  const text = await readWhole(scope, file, rule, false);
  const parsed = text === undefined ? undefined : parseYamlText(scope, file, text, rule);
  if (text === undefined || !parsed) return undefined;
  try {
    JSON.parse(text);
    return parsed;
  } catch {
    reportFile(scope, rule, file, "is not JSON");
    return undefined;
  }
}

/** A structured file as text; undefined when it is not there or too long to be one. */
async function readWhole(scope: Scope, file: string, rule: RuleId, required: boolean): Promise<string | undefined> {
  const content = await readText(scope, file, rule, MAX_BYTES, required);
  if (!content?.cut) return content?.text;
  reportFile(scope, rule, file, `is larger than ${MAX_BYTES} bytes`);
  return undefined;
}

/** Parses YAML that begins on `firstLine` of its file. */
export function parseYamlText(
  scope: Scope,
  file: string,
  text: string,
  rule: RuleId,
  firstLine = 1,
): YamlFile | undefined {
  scope.parsed.yaml += text.length;
  if (scope.parsed.yaml > MAX_YAML) {
    reportFile(scope, "X23", file, `is not looked at: the files before it hold ${MAX_YAML} characters of YAML`);
    return undefined;
  }
  const parsed = parseYaml(text, firstLine);
  if (!Array.isArray(parsed)) return { file, data: parsed.data, lineOf: parsed.lineOf };
  for (const { message, line } of parsed) reportFile(scope, rule, file, message, line);
  return undefined;
}

/**
 * Checks data against a closed schema: unknown keys are X1, what `normalise` mends is X2, the rest `rule`.
 * `normalise` changes a copy and returns further violations.
 */
export function checkSchema(
  scope: Scope,
  yaml: YamlFile,
  schema: z.ZodType,
  ruleOf: RuleId | ((path: DataPath, data: unknown) => RuleId),
  normalise: (data: unknown) => readonly { readonly path: DataPath; readonly message: string }[] = () => [],
): void {
  const normalised = structuredClone(yaml.data);
  const extra = normalise(normalised).map((violation) => ({ ...violation, unknown: false }));
  const remaining = [...extra, ...complaintsOf(schema, normalised)];
  for (const { path, message, unknown } of remaining) {
    const rule = typeof ruleOf === "string" ? ruleOf : ruleOf(path, yaml.data);
    report(scope, unknown ? "X1" : rule, yaml, path, unknown ? unknownKey(path) : message);
  }
  const known = new Set(remaining.map(({ path }) => toPointer(path)));
  const mended = complaintsOf(schema, structuredClone(yaml.data)).filter(({ path }) => !known.has(toPointer(path)));
  const keys = mended.filter(({ unknown }) => unknown);
  for (const { path, message, unknown } of keys.length > 0 ? keys : mended) {
    const said = unknown ? unknownKey(path) : message;
    report(scope, "X2", yaml, path, `the loader copes with it; the published schema says: ${said}`);
  }
}

function unknownKey(path: DataPath): string {
  return `the key "${String(path.at(-1))}" is unknown`;
}

function complaintsOf(schema: z.ZodType, data: unknown): Complaint[] {
  const { violations, unknownKeys } = checkLenient(schema, data);
  return [
    ...violations.map((violation) => ({ ...violation, unknown: false })),
    ...unknownKeys.map((path) => ({ path, message: "", unknown: true })),
  ];
}
