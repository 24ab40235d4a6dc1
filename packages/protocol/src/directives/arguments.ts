import type { JsonObject, JsonValue } from "../json.ts";

/** The result of reading an argument: a value, or what is wrong with it. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };

/** Wraps a value. */
export const ok = <T>(value: T): Parsed<T> => ({ ok: true, value });
/** Wraps a complaint, fit for people. */
export const bad = (message: string): { ok: false; message: string } => ({ ok: false, message });

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", "\\": "\\" };

/** Resolves `\n`, `\t` and `\\`; any other backslash stays as it is. */
export function unescapeText(text: string): string {
  return text.replace(/\\([nt\\])/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
}

/** Splits a leading path off: quoted (`"a b"` or `'a b'`), or up to the first blank. `rest` starts after one blank. */
export function splitPath(args: string): Parsed<{ path: string; rest: string }> {
  const text = args.trimStart();
  const quote = text[0];
  if (quote !== '"' && quote !== "'") {
    const end = text.search(/[ \t]/);
    const path = end === -1 ? text : text.slice(0, end);
    return path === "" ? bad("needs PATH") : ok({ path, rest: end === -1 ? "" : text.slice(end + 1) });
  }
  const end = text.indexOf(quote, 1);
  if (end === -1) return bad(`the quote ${quote} of PATH is not closed`);
  const path = text.slice(1, end);
  const after = text.slice(end + 1);
  if (path === "") return bad("needs PATH");
  if (after !== "" && !/^[ \t]/.test(after)) return bad("PATH must be followed by a blank");
  return ok({ path, rest: after.slice(1) });
}

/** Reads a JSON object; empty text is `{}`. */
export function jsonObject(text: string): Parsed<JsonObject> {
  if (text.trim() === "") return ok({});
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return bad(`the JSON is not valid: ${error instanceof Error ? error.message.slice(0, 200) : "unreadable"}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bad("the JSON must be an object");
  return ok(value);
}

/** What a number argument may be. */
export interface NumberRule {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** Value when the argument is left out. */
  readonly fallback?: number;
}

/** Reads blank-separated whole numbers, one per rule. */
export function numbers(args: string, rules: readonly NumberRule[]): Parsed<number[]> {
  const words = args.split(/[ \t]+/).filter((word) => word !== "");
  if (words.length > rules.length) return bad(`takes only ${rules.map((rule) => rule.name).join(" ")}`);
  const values: number[] = [];
  for (const [index, rule] of rules.entries()) {
    const word = words[index];
    const value = word === undefined ? rule.fallback : /^\d{1,12}$/.test(word) ? Number(word) : Number.NaN;
    if (value === undefined) return bad(`needs ${rule.name}`);
    if (!(value >= rule.min && value <= rule.max)) {
      return bad(`${rule.name} must be a whole number from ${rule.min} to ${rule.max}`);
    }
    values.push(value);
  }
  return ok(values);
}
