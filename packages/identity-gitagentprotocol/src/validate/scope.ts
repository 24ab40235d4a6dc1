import { realpath, stat } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import type { DataPath } from "../parse/pointer.ts";
import type { IdentityFolder } from "../read/identity-folder.ts";
import type { FindSecrets, IsLeftOut, NotLoaded } from "./options.ts";
import type { RuleId } from "./rules.ts";
import type { Profile, Severity } from "./severity.ts";
import type { Sink } from "./sink.ts";

/** So many entries of one folder are looked at. */
const MAX_ENTRIES = 1_000;

/** A YAML file (or frontmatter) of the agent, as plain data. */
export interface YamlFile {
  readonly file: string;
  readonly data: unknown;
  lineOf(path: DataPath): number;
}

/** What a path of the agent leads to. */
export type Target = "file" | "folder" | "missing" | "outside" | "other";

/** An agent under validation: the root one, or a sub-agent at `prefix` ("" or `agents/<name>/`...). */
export interface Scope {
  readonly folder: IdentityFolder;
  /** Real path of the whole identity. */
  readonly root: string;
  readonly prefix: string;
  readonly depth: number;
  readonly profile: Profile;
  readonly sink: Sink;
  readonly signal: AbortSignal | undefined;
  readonly findSecrets: FindSecrets | undefined;
  readonly isLeftOut: IsLeftOut | undefined;
  readonly notLoaded: readonly NotLoaded[];
  /** Real paths of the agents that were looked at. */
  readonly seen: Set<string>;
  /** Characters of YAML that were parsed so far, of all agents together. */
  readonly parsed: { yaml: number };
}

/** Reports a place in a YAML file. `atMost` softens the rule. */
export function report(
  scope: Scope,
  rule: RuleId,
  yaml: YamlFile,
  path: DataPath,
  message: string,
  atMost: Severity = "error",
): void {
  const file = scope.prefix + yaml.file;
  scope.sink.add({ rule, file, path, lineOf: (at) => yaml.lineOf(at), message, atMost: softer(scope, atMost) });
}

/** Reports a whole file or folder, or a line of it. */
export function reportFile(scope: Scope, rule: RuleId, file: string, message: string, line?: number): void {
  const lineOf = (): number | null => line ?? null;
  scope.sink.add({ rule, file: scope.prefix + file, path: [], lineOf, message, atMost: softer(scope, "error") });
}

/** What is wrong with a sub-agent does not stop the agent around it, unless the profile is strict. */
function softer(scope: Scope, atMost: Severity): Severity {
  return scope.depth > 0 && scope.profile === "lenient" && atMost === "error" ? "warning" : atMost;
}

/** Where a path of the agent leads; links may lead anywhere inside the whole identity. Never rejects. */
export async function targetOf(scope: Scope, path: string): Promise<Target> {
  try {
    const real = await realpath(join(scope.root, scope.prefix, path));
    if (real !== scope.root && !real.startsWith(scope.root + sep)) return "outside";
    const stats = await stat(real);
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return "missing";
  }
}

/** True when a path that is relative to the folder `base` names something outside of the folder `within` ("" = the agent). */
export function leavesFolder(path: string, base: string, within: string): boolean {
  if (path.startsWith("/") || /^[A-Za-z]:|[\\\0]/.test(path)) return true;
  const joined = posix.join(base, path);
  if (joined === ".." || joined.startsWith("../")) return true;
  return within !== "" && joined !== within && !joined.startsWith(`${within}/`);
}

/** Entries of a folder of the agent, sorted; empty when it is none or cannot be listed. */
export async function entriesOf(scope: Scope, path: string) {
  const entries = await scope.folder.list(scope.prefix + path).catch(() => []);
  if (entries.length > MAX_ENTRIES) {
    reportFile(scope, "X23", path, `holds ${entries.length} entries: only the first ${MAX_ENTRIES} are looked at`);
  }
  return entries.slice(0, MAX_ENTRIES);
}

/** True for a name that is one step of a path: no `..`, no separator. */
export function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}
