import { charClass, runEnd } from "../chars.ts";
import { MARKER, type Rule } from "../rule.ts";

const KIND = charClass("a-z0-9-");

/** Text that has been masked already passes untouched; only real kinds count, so a marker cannot hide a secret. */
export function markerRule(kinds: ReadonlySet<string>): Rule {
  return {
    kind: MARKER,
    starts: ["[masked:"],
    left: "any",
    judge(s, at, skip, end, final) {
      let i = at + skip;
      const stop = Math.min(end, i + 40);
      i = runEnd(KIND, s, i, stop);
      if (i === stop) return final || end > i ? "no" : "more";
      if (s[i] !== "]" || !kinds.has(s.slice(at + skip, i))) return "no";
      return { from: at, to: i + 1, pass: true };
    },
  };
}
