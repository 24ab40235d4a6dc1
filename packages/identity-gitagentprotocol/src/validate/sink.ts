import { type DataPath, toPointer } from "../parse/pointer.ts";
import type { Finding } from "./finding.ts";
import { type RuleId, severityOf } from "./rules.ts";
import type { Profile, Severity } from "./severity.ts";

/** So many findings of one rule in one file are told; looking up the lines of more costs more than it tells. */
const PER_RULE_AND_FILE = 200;

const RANK: Record<Severity, number> = { error: 2, warning: 1, info: 0 };

/** A place in a file and what is wrong there. */
export interface Spot {
  readonly rule: RuleId;
  readonly file: string;
  readonly path: DataPath;
  readonly lineOf: (path: DataPath) => number | null;
  readonly message: string;
  readonly atMost: Severity;
}

/** Collects findings of a validation. */
export class Sink {
  readonly #profile: Profile;
  readonly #findings: Finding[] = [];
  readonly #counts = new Map<string, { first: Finding; count: number }>();

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  add({ rule, file, path, lineOf, message, atMost }: Spot): void {
    const inProfile = severityOf(rule, this.#profile);
    if (inProfile === "off") return;
    const key = `${rule} ${file}`;
    const before = this.#counts.get(key);
    if (before) before.count += 1;
    if (before && before.count > PER_RULE_AND_FILE) return;
    const severity = RANK[inProfile] > RANK[atMost] ? atMost : inProfile;
    const finding = { rule, severity, file, pointer: toPointer(path), line: lineOf(path), message };
    if (!before) this.#counts.set(key, { first: finding, count: 1 });
    this.#findings.push(finding);
  }

  /** Everything collected, sorted. A schema's complaint about a place that a rule of its own speaks of is left out. */
  all(): Finding[] {
    const place = ({ file, pointer }: Finding): string => `${file}#${pointer}`;
    const explained = new Set(this.#findings.filter(({ rule }) => /^(?:[CDF]\d|K4)/.test(rule)).map(place));
    const kept = this.#findings.filter((one) => !(/^(?:A2|K2)$/.test(one.rule) && explained.has(place(one))));
    for (const { first, count } of this.#counts.values()) {
      if (count <= PER_RULE_AND_FILE) continue;
      const message = `${count - PER_RULE_AND_FILE} more findings of this kind are left out`;
      kept.push({ ...first, pointer: "", line: null, message });
    }
    return kept.sort(
      (a, b) =>
        compare(a.file, b.file) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        compare(a.pointer, b.pointer) ||
        compare(a.rule, b.rule) ||
        compare(a.message, b.message),
    );
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
