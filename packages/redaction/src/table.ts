import { BLANK, isIn } from "./chars.ts";
import { leftHolds } from "./left.ts";
import type { Rule } from "./rule.ts";

/** One beginning and the rule that judges it. */
export interface Entry {
  readonly start: string;
  readonly rule: Rule;
}

/** Finds beginnings fast: one table look-up a character, nothing else on ordinary text. */
export interface Table {
  /** First position in [from, to) where a beginning stands whole (its left side is not checked); -1 if none. */
  next(s: string, from: number, to: number): number;
  /** The beginnings that may stand at `at`, in order of precedence; only their first two characters are sure. */
  at(s: string, at: number): readonly Entry[];
  /** First position at or after `from` from which the rest of `s` may still grow into a beginning; else its length. */
  partial(s: string, from: number, low: number): number;
}

interface Bucket {
  /** Beginnings whose first two characters are the pair. */
  readonly here: Entry[];
  /** Beginnings whose second and third characters are the pair. */
  readonly before: Entry[];
}

/** Bits of a character's group: what stands beside a pair is sorted out by them before any beginning is compared. */
const GROUPS = 32;
const bitOf = (code: number): number => 1 << (code & (GROUPS - 1));

const fold = (code: number): number => (code < 128 ? code : 127);
const pairOf = (s: string, at: number): number => (fold(s.charCodeAt(at)) << 7) | fold(s.charCodeAt(at + 1));

/**
 * Builds the look-up; the order of `rules` is the precedence, longer beginnings of one rule first. Beginnings have
 * at least three characters, so that it is enough to look at every second pair of characters.
 */
export function buildTable(rules: readonly Rule[]): Table {
  const entries = rules.flatMap((rule) =>
    [...rule.starts].sort((a, b) => b.length - a.length).map((start) => ({ start, rule })),
  );
  const pairs = new Uint16Array(128 * 128);
  const buckets: Bucket[] = [{ here: [], before: [] }];
  // For each bucket: the groups of what may follow the pair, and of what may stand before it.
  const after: number[] = [0];
  const ahead: number[] = [0];
  const bucketOf = (pair: number): number => {
    const known = pairs[pair] ?? 0;
    if (known !== 0) return known;
    pairs[pair] = buckets.push({ here: [], before: [] }) - 1;
    after.push(0);
    ahead.push(0);
    return buckets.length - 1;
  };
  for (const entry of entries) {
    const { start } = entry;
    const first = bucketOf(pairOf(start, 0));
    buckets[first]?.here.push(entry);
    after[first] = (after[first] ?? 0) | bitOf(start.charCodeAt(2));
    const second = bucketOf(pairOf(start, 1));
    buckets[second]?.before.push(entry);
    ahead[second] = (ahead[second] ?? 0) | bitOf(start.charCodeAt(0));
  }
  const followers = Int32Array.from(after);
  const leaders = Int32Array.from(ahead);

  const standsWhole = (list: readonly Entry[], s: string, at: number): boolean => {
    const third = s.charCodeAt(at + 2);
    const first = s.charCodeAt(at);
    for (let i = 0; i < list.length; i++) {
      const start = list[i]?.start ?? "";
      if (start.charCodeAt(0) === first && start.charCodeAt(2) === third && s.startsWith(start, at)) return true;
    }
    return false;
  };

  const around = (bucket: number, s: string, at: number, from: number): number => {
    const led = at > from && ((leaders[bucket] ?? 0) & bitOf(s.charCodeAt(at - 1))) !== 0;
    if (led && standsWhole(buckets[bucket]?.before ?? [], s, at - 1)) return at - 1;
    const followed = ((followers[bucket] ?? 0) & bitOf(s.charCodeAt(at + 2))) !== 0;
    return followed && standsWhole(buckets[bucket]?.here ?? [], s, at) ? at : -1;
  };

  return {
    next(s, from, to) {
      const stop = Math.min(to + 1, s.length - 1);
      for (let i = from; i < stop; i += 2) {
        const a = s.charCodeAt(i);
        const b = s.charCodeAt(i + 1);
        const bucket = pairs[((a < 128 ? a : 127) << 7) | (b < 128 ? b : 127)];
        if (bucket === 0 || bucket === undefined) continue;
        const at = around(bucket, s, i, from);
        if (at >= 0) return at < to ? at : -1;
      }
      return -1;
    },
    at: (s, at) => buckets[pairs[pairOf(s, at)] ?? 0]?.here ?? [],
    partial: growing(entries),
  };
}

function growing(entries: readonly Entry[]): Table["partial"] {
  const firsts: Entry[][] = Array.from({ length: 128 }, () => []);
  for (const entry of entries) firsts[fold(entry.start.charCodeAt(0))]?.push(entry);
  const longest = Math.max(0, ...entries.map((entry) => entry.start.length));
  const blanks = entries.some((entry) => /\s/.test(entry.start));

  const couldGrow = (s: string, at: number, low: number): boolean => {
    const rest = s.length - at;
    for (const { start, rule } of firsts[fold(s.charCodeAt(at))] ?? []) {
      if (start.length <= rest) continue;
      let i = 0;
      while (i < rest && s.charCodeAt(at + i) === start.charCodeAt(i)) i++;
      if (i === rest && leftHolds(rule.left, s, at, low)) return true;
    }
    return false;
  };

  return (s, from, low) => {
    let at = Math.max(from, s.length - longest + 1);
    if (!blanks) {
      let i = s.length;
      while (i > at && !isIn(BLANK, s.charCodeAt(i - 1))) i--;
      at = i;
    }
    while (at < s.length && !couldGrow(s, at, low)) at++;
    return at;
  };
}
