import type { z } from "zod";
import { checkLenient } from "../parse/lenient.ts";
import { type DataPath, placeIn, toPointer } from "../parse/pointer.ts";
import { parseYaml, type YamlSource } from "../parse/yaml-source.ts";
import type { Report } from "./report.ts";

/** Ids of the checks of one kind of file. */
export interface RuleIds {
  /** It cannot be parsed. */
  readonly parse: string;
  /** It violates its schema. */
  readonly schema: string;
}

/** Parses YAML; problems go to the report. */
export function readYaml(file: string, text: string, rules: RuleIds, report: Report, firstLine = 1) {
  const parsed = parseYaml(text, firstLine);
  if (!Array.isArray(parsed)) return parsed;
  for (const { message, line } of parsed) {
    report.issues.push({ rule: rules.parse, file, pointer: "", message: atLine(message, line) });
  }
  return undefined;
}

/** Checks YAML data against a closed schema: violations become problems, unknown keys notices. */
export function readData<T>(
  file: string,
  source: YamlSource,
  schema: z.ZodType<T>,
  rules: RuleIds,
  report: Report,
): T | undefined {
  const result = checkLenient(schema, source.data);
  for (const path of result.unknownKeys) {
    const message = `The key "${String(path.at(-1))}" is not part of GitAgentProtocol: it has no effect.`;
    report.notices.add("warning", "gap.unknown_key", placeIn(file, path), message);
  }
  // Beyond what anybody will read, looking up lines costs more than it tells.
  for (const { path, message } of result.violations.slice(0, 200)) {
    addViolation(file, source, path, message, rules.schema, report);
  }
  return result.value;
}

/** One problem at a place of a YAML file. */
export function addViolation(
  file: string,
  source: YamlSource,
  path: DataPath,
  message: string,
  rule: string,
  report: Report,
): void {
  report.issues.push({ rule, file, pointer: toPointer(path), message: atLine(message, source.lineOf(path)) });
}

function atLine(message: string, line: number | undefined): string {
  return line === undefined ? message : `${message} (line ${line})`;
}
