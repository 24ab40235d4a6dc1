import { BASE64, runEnd } from "../chars.ts";
import type { Tail } from "../rule.ts";
import { readGap, readHeaderName, readLabel, readWord } from "./pem-text.ts";

/** A run this long goes on with the key wherever it stands; a shorter one only right before the END line. */
const LONG_RUN = 20;

type Step = { readonly at: number; readonly now: "run" | "header" | "between" | "done" } | "wait";

/** The rest of an armoured key; `inRun` tells whether reading stands inside a line of it. */
export function pemTail(inRun: boolean): Tail {
  let now: "run" | "header" | "between" | "done" = inRun ? "run" : "between";
  return {
    get done() {
      return now === "done";
    },
    take(s, at, end, final) {
      let i = at;
      while (now !== "done") {
        if (now === "between") {
          const step = between(s, i, end, final);
          if (step === "wait") return i;
          i = step.at;
          now = step.now;
          continue;
        }
        i = now === "run" ? runEnd(BASE64, s, i, end) : lineEnd(s, i, end);
        if (i === end) {
          if (final) now = "done";
          return i;
        }
        now = "between";
      }
      return i;
    },
  };
}

function lineEnd(s: string, at: number, end: number): number {
  let i = at;
  while (i < end && s[i] !== "\n" && s[i] !== "\\") i++;
  return i;
}

/** Decides what follows a line of the key. */
function between(s: string, at: number, end: number, final: boolean): Step {
  const gap = readGap(s, at, end, final);
  if (gap === "more") return "wait";
  for (const start of [gap, gap + 1]) {
    const closing = start === gap || s[gap] === "-" ? readWord(s, start, "-----END", end, final) : "no";
    if (closing === "more") return "wait";
    if (closing === "no") continue;
    const label = readLabel(s, closing, end, final);
    if (label === "more") return "wait";
    return { at: label === "no" ? closing : label, now: "done" };
  }
  const named = readHeaderName(s, gap, end, final);
  if (named === "more") return "wait";
  if (named !== "no") return { at: named, now: "header" };
  const run = runEnd(BASE64, s, gap, Math.min(end, gap + LONG_RUN));
  if (run - gap >= LONG_RUN) return { at: run, now: "run" };
  if (run === end && !final) return "wait";
  const next = run > gap ? readGap(s, run, end, final) : "more";
  if (next === "more") return final || run === gap ? { at, now: "done" } : "wait";
  const closing = readWord(s, next, "-----END", end, final);
  if (closing === "more") return "wait";
  return closing === "no" ? { at, now: "done" } : { at: run, now: "between" };
}
