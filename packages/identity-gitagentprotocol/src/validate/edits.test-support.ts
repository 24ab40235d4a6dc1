import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Files } from "./agents.test-support.ts";
import { CASES } from "./cases.test-support.ts";

const { X23: _many, ...small } = CASES;
/** An agent with every kind of file, most of them wrong. */
export const TEXTS: Files = Object.assign({}, ...Object.values(small));
/** Its YAML, JSON and Markdown files. */
export const PATHS = Object.keys(TEXTS).filter(
  (path) => /[.](?:yaml|md|json)$/.test(path) && !path.startsWith("agents/s/"),
);

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
  .split("")
  .map((key, index) => `${key}: &${key} [${`*${"abcdefghij"[index]},`.repeat(9)}]\n`)
  .join("")}`;

/** Texts that break careless readers. */
export const NASTY = [
  "",
  " ",
  "# only a comment\n",
  "---\n# only a comment\n---\nBody\n",
  "---\n---\n",
  "---\n",
  "null\n",
  "- a\n- b\n",
  "just text\n",
  "5\n",
  "hooks: null\n",
  "hooks: {on_error: [null, 1, [], {script: null}]}\n",
  "documents: [null, 1, {path: null}, {path: /etc/passwd}]\n",
  "steps: [null, 1, {id: null}, {id: a, depends_on: {}}, {id: a, depends_on: [a, null]}]\n",
  "layers: [null, {path: []}]\n",
  "a: 1\na: 2\n",
  "a: !!js/function x\n",
  "a: 1\n---\nb: 2\n",
  "a: &a\n  b: *a\n",
  "__proto__: {x: 1}\nconstructor: 1\nhasOwnProperty: 1\n",
  "? [a, b]\n: c\n",
  bomb,
  `${"[".repeat(5_000)}\n`,
  `a: ${"x".repeat(70_000)}\n`,
  Array.from({ length: 3_000 }, (_, index) => `k${index}: 1\n`).join(""),
  "\uFEFFname: tiny\nversion: 1.0.0\n",
  "name: a\ncompliance: {risk_tier: high, segregation_of_duties: {handoffs: [{action: x}, null], roles: 3, conflicts: [null, [a], 1]}}\n",
  "compliance: {frameworks: finra, segregation_of_duties: {assignments: {x: null}}}\ndependencies: {}\nagents: [a]\nskills: {a: 1}\n",
  "agents: {'': {}, '..': {}, 'a/b': null}\nskills: ['..', '', 3, 'a\\0b']\ntools: ['../../etc/passwd']\ndelegation: {router: '../x'}\n",
] as const;

const bytes = fc.uint8Array({ maxLength: 64 });
/** A change of one file. */
export const edit = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), path: fc.constantFrom(...PATHS), text: fc.constantFrom(...NASTY) }),
  fc.record({ kind: fc.constant("noise" as const), path: fc.constantFrom(...PATHS), bytes, at: fc.nat(200) }),
  fc.record({ kind: fc.constant("folder" as const), path: fc.constantFrom(...PATHS) }),
  fc.record({ kind: fc.constant("gone" as const), path: fc.constantFrom(...PATHS) }),
);

type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

/** Makes the changes in the files of an agent. */
export async function applyEdits(dir: string, edits: readonly Edit[]): Promise<void> {
  for (const change of edits) {
    const at = join(dir, change.path);
    const before = Buffer.from(TEXTS[change.path] ?? "");
    await rm(at, { recursive: true, force: true });
    await mkdir(dirname(at), { recursive: true });
    if (change.kind === "text") await writeFile(at, change.text);
    if (change.kind === "noise") {
      await writeFile(at, Buffer.concat([before.subarray(0, change.at), change.bytes, before.subarray(change.at)]));
    }
    if (change.kind === "folder") await mkdir(at, { recursive: true });
  }
}
