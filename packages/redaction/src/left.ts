import { ALNUM, charClass, DIGIT, isIn } from "./chars.ts";
import type { Left } from "./rule.ts";

/** How many characters of context a left condition may look back on. */
export const LOOK_BEHIND = 12;

const SCHEME = charClass("A-Za-z0-9+.-");
const ESCAPED = charClass("nrtbfv0");
const HEX_ANY = charClass("0-9A-Fa-f");
const SGR = charClass("0-9;");

/** Whether `want` holds for the text before `at`; nothing before `low` is looked at. */
export function leftHolds(want: Left, s: string, at: number, low: number): boolean {
  if (want === "any") return true;
  const before = at > low ? s.charCodeAt(at - 1) : -1;
  if (want === "digit") return before >= 0 && isIn(DIGIT, before);
  if (want === "scheme") return before >= 0 && isIn(SCHEME, before);
  if (want === "query") return before === 0x3f || before === 0x26 || before === 0x3b;
  return before < 0 || !isIn(ALNUM, before) || endsEscape(s, at, low);
}

/** A letter or digit just before does not join words when it closes `\n`, `%3D` or a terminal colour. */
function endsEscape(s: string, at: number, low: number): boolean {
  const code = s.charCodeAt(at - 1);
  if (at - 2 >= low && s[at - 2] === "\\" && isIn(ESCAPED, code)) return true;
  if (at - 3 >= low && s[at - 3] === "%" && isIn(HEX_ANY, code) && isIn(HEX_ANY, s.charCodeAt(at - 2))) return true;
  if (code !== 0x6d) return false;
  let i = at - 2;
  const stop = Math.max(low, at - LOOK_BEHIND);
  while (i > stop && isIn(SGR, s.charCodeAt(i))) i--;
  return i >= stop && s[i] === "[";
}
