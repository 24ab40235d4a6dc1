/** Membership table of ASCII characters: 1 at the code of every member. */
export type CharClass = Uint8Array;

/** Builds a class from ranges and single characters, e.g. `"A-Za-z0-9_"`; a `-` counts as itself at either end. */
export function charClass(spec: string): CharClass {
  const table = new Uint8Array(128);
  for (let i = 0; i < spec.length; i++) {
    const from = spec.charCodeAt(i);
    const isRange = spec[i + 1] === "-" && i + 2 < spec.length;
    const to = isRange ? spec.charCodeAt(i + 2) : from;
    table.fill(1, from, to + 1);
    if (isRange) i += 2;
  }
  return table;
}

/** Whether the UTF-16 code is a member; never true above ASCII. */
export function isIn(table: CharClass, code: number): boolean {
  return code < 128 && table[code] === 1;
}

/** Where the run of members that begins at `from` ends, at most `to`. */
export function runEnd(table: CharClass, s: string, from: number, to: number): number {
  let i = from;
  while (i < to) {
    const code = s.charCodeAt(i);
    if (code > 127 || table[code] !== 1) break;
    i++;
  }
  return i;
}

/** Letters and digits. */
export const ALNUM = charClass("A-Za-z0-9");
/** Letters, digits and underscore. */
export const WORD = charClass("A-Za-z0-9_");
/** The URL-safe base64 alphabet without padding. */
export const BASE64URL = charClass("A-Za-z0-9_-");
/** The base64 alphabet with padding. */
export const BASE64 = charClass("A-Za-z0-9+/=");
/** Lower-case hexadecimal digits. */
export const HEX = charClass("0-9a-f");
/** Capital letters and digits. */
export const UPPER_NUM = charClass("A-Z0-9");
/** ASCII blanks. */
export const BLANK = charClass(" \t\r\n\f\v");
/** Decimal digits. */
export const DIGIT = charClass("0-9");
