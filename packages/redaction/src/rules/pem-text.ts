import { BASE64, charClass, DIGIT, isIn } from "../chars.ts";

/** Result of reading a piece: where it ends, or that it is not there (`no`), or that more text must tell (`more`). */
export type Reading = number | "no" | "more";

const GAP = charClass(" \t\r\n>|#*\"',");
const ESCAPE = charClass("nrt");
const LABEL = charClass("A-Z0-9 ");
const MAX_GAP = 40;
const MAX_LABEL = 40;
const AFTER_LINE_NUMBER = new Set(["\t", "\u2192", ":", "|", " "]);
const HEADERS = ["Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Charset:"];

/** Reads what may stand between two lines of a key: blanks, escaped newlines, quote and diff marks, line numbers. */
export function readGap(s: string, at: number, end: number, final: boolean): number | "more" {
  let i = at;
  while (i < end && i - at < MAX_GAP) {
    const code = s.charCodeAt(i);
    let j = i;
    if (isIn(GAP, code)) {
      i++;
      continue;
    }
    if (s[i] === "\\") {
      while (j < end && j - i < 8 && s[j] === "\\") j++;
      if (j < end && !isIn(ESCAPE, s.charCodeAt(j))) return i;
    } else if (isIn(DIGIT, code) && i > at) {
      while (j < end && j - i < 7 && isIn(DIGIT, s.charCodeAt(j))) j++;
      if (j < end && !AFTER_LINE_NUMBER.has(s[j] ?? "")) return i;
    } else if (s[i] === "+") {
      j = i + 1;
      if (j < end && s[j] !== " " && s[j] !== "\n") return i;
    } else if (s[i] === "-") {
      if (i + 1 < end && !isIn(BASE64, s.charCodeAt(i + 1))) return i;
      j = i + 1 === end ? end : i;
    } else return i;
    if (j === end) return final ? i : "more";
    i = j + 1;
  }
  return i === end && !final ? "more" : i;
}

/** Reads `word` whole. */
export function readWord(s: string, at: number, word: string, end: number, final: boolean): Reading {
  const known = Math.min(word.length, end - at);
  if (!word.startsWith(s.slice(at, at + known))) return "no";
  if (known === word.length) return at + word.length;
  return final ? "no" : "more";
}

/** Reads the label after `-----BEGIN` or `-----END` and the closing dashes. */
export function readLabel(s: string, at: number, end: number, final: boolean): Reading {
  let i = at;
  while (i < end && i - at <= MAX_LABEL && isIn(LABEL, s.charCodeAt(i))) i++;
  if (i - at > MAX_LABEL) return "no";
  return readWord(s, i, "-----", end, final);
}

/** Reads the name of a header line inside an armoured key, e.g. `Proc-Type:`. */
export function readHeaderName(s: string, at: number, end: number, final: boolean): Reading {
  let reading: Reading = "no";
  for (const name of HEADERS) {
    const one = readWord(s, at, name, end, final);
    if (typeof one === "number") return one;
    if (one === "more") reading = "more";
  }
  return reading;
}
