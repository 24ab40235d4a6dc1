import { BASE64, DIGIT, isIn, runEnd } from "../chars.ts";
import { type Rule, type Verdict, WINDOW } from "../rule.ts";
import { pemTail } from "./pem-tail.ts";
import { readGap, readHeaderName, readLabel, readWord } from "./pem-text.ts";

/** A run this long counts as a line of a key when it has a digit; without one it must be twice as long. */
const MIN_LINE = 20;
const MIN_SHORT = 6;

/** Private keys in PEM or PGP armour: real newlines, escaped ones, line numbers or diff marks; cut off ones as well. */
export const pemRule: Rule = {
  kind: "pem-private-key",
  starts: ["-----BEGIN"],
  left: "any",
  judge(s, at, skip, end, final): Verdict {
    const stop = Math.min(end, at + WINDOW);
    const last = final || end > stop;
    const header = readLabel(s, at + skip, stop, last);
    if (typeof header !== "number") return header;
    if (!s.slice(at + skip, header).includes("PRIVATE KEY")) return "no";
    const from = readGap(s, header, stop, last);
    if (from === "more") return "more";
    const named = readHeaderName(s, from, stop, last);
    if (named === "more") return "more";
    if (named !== "no") return { from: at, to: from, tail: pemTail(false) };
    return judgeBody(s, at, from, stop, last);
  },
};

function judgeBody(s: string, at: number, from: number, stop: number, last: boolean): Verdict {
  const to = runEnd(BASE64, s, from, stop);
  let digits = 0;
  for (let i = from; i < to; i++) {
    if (isIn(DIGIT, s.charCodeAt(i))) digits++;
    const length = i + 1 - from;
    if (length >= MIN_LINE && (digits > 0 || length >= 2 * MIN_LINE))
      return { from: at, to: i + 1, tail: pemTail(true) };
  }
  if (to === stop) return last ? "no" : "more";
  if (to - from < MIN_SHORT) return "no";
  const gap = readGap(s, to, stop, last);
  if (gap === "more") return "more";
  const closing = readWord(s, gap, "-----END", stop, last);
  if (typeof closing !== "number") return closing;
  return { from: at, to, tail: pemTail(false) };
}
