import type { CharClass } from "../chars.ts";
import { type Left, type Rule, type Verdict, WINDOW } from "../rule.ts";
import { runTail } from "../tails.ts";

/** How far beyond its least length a body may begin to satisfy its needs. */
const SLACK = 32;

/** What a body must contain beside its length, so that ordinary names are left alone. */
export type Needs = "none" | "digit" | "digit-or-upper" | "mixed" | "cased";

/** A vendor's key: a literal beginning and a run of characters. */
export interface PrefixedShape {
  readonly kind: string;
  readonly starts: readonly string[];
  readonly body: CharClass;
  /** Least length of the run after the beginning. */
  readonly min: number;
  readonly needs: Needs;
  readonly left?: Left;
  /** Characters that belong to the key only in its inside, such as a dot. */
  readonly joint?: CharClass;
  /** True: the beginning is a name, not a part of the secret, and stays. */
  readonly keepStart?: boolean;
}

/** Makes the rule of a vendor's key. */
export function prefixed(shape: PrefixedShape): Rule {
  return {
    kind: shape.kind,
    starts: shape.starts,
    left: shape.left ?? "word",
    judge(s, at, skip, end, final) {
      const from = at + skip;
      const reach = Math.min(at + WINDOW, from + shape.min + SLACK);
      const verdict = judgeRun(s, from, Math.min(end, reach), shape.body, shape.min, shape.needs);
      if (verdict === "more") return final || end >= reach ? "no" : "more";
      if (verdict === "no") return "no";
      return { from: shape.keepStart ? from : at, to: verdict, tail: runTail(shape.body, shape.joint) };
    },
  };
}

/** Where a run is long and varied enough (an index), or that it is not (`no`), or that it runs into `stop` (`more`). */
export function judgeRun(
  s: string,
  from: number,
  stop: number,
  body: CharClass,
  min: number,
  needs: Needs,
): number | Exclude<Verdict, object> {
  let digits = 0;
  let uppers = 0;
  let lowers = 0;
  for (let i = from; i < stop; i++) {
    const code = s.charCodeAt(i);
    if (code > 127 || body[code] !== 1) return "no";
    if (code > 96 && code < 123) lowers++;
    else if (code > 64 && code < 91) uppers++;
    else if (code > 47 && code < 58) digits++;
    if (i - from + 1 >= min && enough(needs, digits, uppers, lowers)) return i + 1;
  }
  return "more";
}

function enough(needs: Needs, digits: number, uppers: number, lowers: number): boolean {
  if (needs === "none") return true;
  if (needs === "digit") return digits > 0;
  if (needs === "digit-or-upper") return digits > 0 || uppers > 0;
  if (needs === "cased") return uppers > 1 && lowers > 1;
  return (digits > 0 && uppers > 0 && lowers > 0) || digits > 3;
}
