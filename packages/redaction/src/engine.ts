import { leftHolds } from "./left.ts";
import { MARKER, type Rule, type Tail, type Verdict } from "./rule.ts";
import type { Table } from "./table.ts";

/** The look-up tables of one masker. */
export interface Tables {
  /** Built-in shapes and own values together. */
  readonly all: Table;
  /** The built-in shapes alone. */
  readonly shapes: Table;
  /** The session's own values alone. */
  readonly own?: Table;
}

/** Receives the pieces of the text in order. */
export interface Sink {
  keep(from: number, to: number): void;
  /** A secret begins at `from`. */
  open(kind: string, from: number): void;
  /** The secret opened last ends at `to`. */
  close(to: number): void;
}

/** Where reading stopped; what follows `at` is not yet decided. An open `tail` means: inside a secret. */
export interface Progress {
  readonly at: number;
  readonly tail?: Tail;
}

/**
 * Reads `s` from `from` and reports kept and masked pieces; what stands left is looked at back to `context`. With
 * `final` all of it is decided; without, the rest that could still become a secret is left over. Own values are hard
 * borders: no other shape reaches into one.
 */
export function advance(
  t: Tables,
  s: string,
  from: number,
  final: boolean,
  open: Tail | undefined,
  sink: Sink,
  context = 0,
): Progress {
  const end = s.length;
  let kept = from;
  let low = context;
  if (open) {
    const ownFrom = final || !t.own ? end : t.own.partial(s, from, low);
    const to = swallow(t, s, from, ownFrom, final, open);
    if (!to.closed) return { at: to.at, tail: open };
    sink.close(to.at);
    kept = to.at;
    low = kept;
  }
  let border = frontier(t, s, kept, low, final);
  let at = kept;
  for (;;) {
    at = t.all.next(s, at, border.any);
    if (at < 0 || at >= border.any) break;
    const found = judge(t, s, at, low, border.own, final);
    if (found === "no") {
      at++;
      continue;
    }
    if (found === "more") {
      sink.keep(kept, at);
      return { at };
    }
    if (found.hit.pass) {
      at = found.hit.to;
      if (at > border.any) border = frontier(t, s, at, low, final);
      continue;
    }
    keepVisible(t, s, kept, at, found.hit.from, low, sink);
    sink.open(found.rule.kind, found.hit.from);
    kept = found.hit.to;
    if (found.hit.tail) {
      const to = swallow(t, s, kept, border.own, final, found.hit.tail);
      if (!to.closed) return { at: to.at, tail: found.hit.tail };
      kept = to.at;
    }
    sink.close(kept);
    at = kept;
    low = kept;
    border = frontier(t, s, kept, low, final);
  }
  sink.keep(kept, border.any);
  return { at: border.any };
}

/** Text before a secret that stays, such as the user of a URL, may hold secrets of other shapes. */
function keepVisible(t: Tables, s: string, kept: number, at: number, from: number, low: number, sink: Sink): void {
  const rest = Math.min(from, at + 1);
  sink.keep(kept, rest);
  if (rest < from) advance(t, s.slice(0, from), rest, true, undefined, sink, low);
}

interface Border {
  /** From here on a session's own value may be growing. */
  readonly own: number;
  /** From here on anything may be growing. */
  readonly any: number;
}

function frontier(t: Tables, s: string, from: number, low: number, final: boolean): Border {
  if (final) return { own: s.length, any: s.length };
  const own = t.own ? t.own.partial(s, from, low) : s.length;
  return { own, any: Math.min(own, t.shapes.partial(s, from, low)) };
}

function judge(
  t: Tables,
  s: string,
  at: number,
  low: number,
  own: number,
  final: boolean,
): "no" | "more" | { readonly rule: Rule; readonly hit: Exclude<Verdict, string> } {
  for (const { start, rule } of t.all.at(s, at)) {
    if (!s.startsWith(start, at) || !leftHolds(rule.left, s, at, low)) continue;
    const verdict = judgeOne(t, rule, s, at, start.length, own, final);
    if (verdict === "no") continue;
    return verdict === "more" ? verdict : { rule, hit: verdict };
  }
  return "no";
}

function judgeOne(t: Tables, rule: Rule, s: string, at: number, skip: number, own: number, final: boolean): Verdict {
  if (rule.kind === MARKER || !t.own) return rule.judge(s, at, skip, s.length, final);
  if (at + skip > own) return "more";
  const verdict = rule.judge(s, at, skip, own, final);
  if (verdict === "no") return verdict;
  const next = t.own.next(s, at + 1, verdict === "more" ? own : verdict.to);
  if (next < 0) return verdict;
  return next < at + skip ? "no" : rule.judge(s, at, skip, next, true);
}

function swallow(t: Tables, s: string, from: number, own: number, final: boolean, tail: Tail) {
  const to = tail.take(s, from, own, final);
  const next = t.own ? t.own.next(s, from, to) : -1;
  return next < 0 ? { at: to, closed: tail.done } : { at: next, closed: true };
}
