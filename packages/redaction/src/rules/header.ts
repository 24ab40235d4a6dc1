import { charClass, runEnd } from "../chars.ts";
import { type Rule, type Verdict, WINDOW } from "../rule.ts";
import { runTail } from "../tails.ts";
import { judgeRun, type Needs } from "./prefixed.ts";

const TOKEN = charClass("A-Za-z0-9_~+/=-");
const DOTTED = charClass("A-Za-z0-9_~+/=.-");
const DOT = charClass(".");
const BETWEEN = charClass(" :=\"'\\");

/** `Bearer TOKEN`: opaque enough to be a token, not a word of prose. */
export const bearerRule: Rule = {
  kind: "bearer",
  starts: ["Bearer", "bearer", "BEARER"],
  left: "word",
  judge: (s, at, skip, end, final) => judgeToken(s, at, at + skip, end, final, 20, "mixed"),
};

/** `Authorization: Basic TOKEN`, also as a JSON or code literal. */
export const basicRule: Rule = {
  kind: "basic-auth",
  starts: ["Authorization", "authorization", "AUTHORIZATION"],
  left: "word",
  judge(s, at, skip, end, final) {
    let i = at + skip;
    const stop = Math.min(end, i + 8);
    i = runEnd(BETWEEN, s, i, stop);
    if (i === end) return final ? "no" : "more";
    if (i === at + skip) return "no";
    const word = s.slice(i, Math.min(end, i + 5)).toLowerCase();
    if (!"basic".startsWith(word)) return "no";
    if (word.length < 5) return final ? "no" : "more";
    return judgeToken(s, at, i + 5, end, final, 12, "cased");
  },
};

function judgeToken(
  s: string,
  at: number,
  word: number,
  end: number,
  final: boolean,
  min: number,
  needs: Needs,
): Verdict {
  const stop = Math.min(end, at + WINDOW);
  const undecided = final || end >= at + WINDOW ? "no" : "more";
  let from = word;
  while (from < stop && from < word + 4 && s[from] === " ") from++;
  if (from === stop) return undecided;
  if (from === word) return "no";
  const verdict = judgeRun(s, from, stop, DOTTED, min, needs);
  if (verdict === "more") return undecided;
  return verdict === "no" ? "no" : { from, to: verdict, tail: runTail(TOKEN, DOT) };
}
