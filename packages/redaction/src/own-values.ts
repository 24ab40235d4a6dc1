import { charClass } from "./chars.ts";
import { OWN_WINDOW, type Rule } from "./rule.ts";
import { agreeTail, runTail } from "./tails.ts";

/** Values shorter than this (UTF-16 units, after trimming) are too common to be masked. */
export const MIN_OWN_LENGTH = 8;
/** The kind of a session's own value. */
export const OWN_KIND = "session-value";

const ANY_BASE64 = charClass("A-Za-z0-9+/=_-");

/** The rule for a session's own values, in every spelling under which they travel; undefined when there are none. */
export function ownValueRule(values: Iterable<string>): Rule | undefined {
  const plain = new Set<string>();
  const encoded = new Set<string>();
  for (const raw of values) {
    const value = raw.trim();
    if (value.length < MIN_OWN_LENGTH) continue;
    for (const form of spellings(value)) addForm(plain, form);
    for (const form of base64Cores(value)) addForm(encoded, form);
  }
  if (plain.size + encoded.size === 0) return undefined;

  const starts = new Map<string, string[]>();
  for (const form of [...plain, ...encoded]) {
    const start = headOf(form);
    starts.set(start, [...(starts.get(start) ?? []), form]);
  }
  return {
    kind: OWN_KIND,
    starts: [...starts.keys()],
    left: "any",
    judge(s, at, skip) {
      const start = s.slice(at, at + skip);
      const to = at + skip;
      if (encoded.has(start)) return { from: at, to, tail: runTail(ANY_BASE64) };
      const forms = [...starts].filter(([other]) => other.startsWith(start)).flatMap(([, all]) => all);
      return { from: at, to, tail: agreeTail(forms, skip) };
    },
  };
}

/** Raw, JSON-escaped (once and twice) and URL-encoded. */
function spellings(value: string): string[] {
  const once = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return value.isWellFormed() ? [value, once, twice, encodeURIComponent(value)] : [value, once, twice];
}

/** The part of the base64 text that is the same whatever stands before and after the value, for each alignment. */
function base64Cores(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const cores: string[] = [];
  for (let shift = 0; shift < 3; shift++) {
    const shifted = new Uint8Array(shift + bytes.length);
    shifted.set(bytes, shift);
    const text = btoa(Array.from(shifted, (byte) => String.fromCharCode(byte)).join(""));
    const core = text.slice(Math.ceil((shift * 8) / 6), Math.floor((shifted.length * 8) / 6));
    cores.push(core, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return cores;
}

/** Forms that would meet a marker are cut or left out, so that masked text stays as it is. */
function addForm(forms: Set<string>, form: string): void {
  if (form.includes("[masked:")) return;
  let end = form.length;
  const bracket = form.lastIndexOf("[");
  if (bracket >= 0 && "[masked:".startsWith(form.slice(bracket))) end = bracket;
  if (end >= 3) forms.add(form.slice(0, end));
}

/** What is compared before a value counts as found: the first `OWN_WINDOW` bytes, whole characters. */
function headOf(form: string): string {
  let bytes = 0;
  let length = 0;
  for (const char of form) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > OWN_WINDOW) break;
    length += char.length;
  }
  return form.slice(0, length);
}
