import { type CharClass, isIn, runEnd } from "./chars.ts";
import type { Tail } from "./rule.ts";

/** A run of `body`; characters of `joint` belong to it only when a body character follows. */
export function runTail(body: CharClass, joint?: CharClass): Tail {
  const tail = {
    done: false,
    take(s: string, at: number, end: number, final: boolean): number {
      let i = at;
      for (;;) {
        i = runEnd(body, s, i, end);
        if (i === end) {
          tail.done = final;
          return i;
        }
        if (joint === undefined || !isIn(joint, s.charCodeAt(i))) break;
        if (i + 1 === end && !final) return i;
        if (i + 1 === end || !isIn(body, s.charCodeAt(i + 1))) break;
        i++;
      }
      tail.done = true;
      return i;
    },
  };
  return tail;
}

/** As much as agrees with the rest of one of `values`, the first `from` characters of which have been read. */
export function agreeTail(values: readonly string[], from: number): Tail {
  let live = values;
  let offset = from;
  const tail = {
    done: false,
    take(s: string, at: number, end: number, final: boolean): number {
      let i = at;
      while (i < end) {
        const code = s.charCodeAt(i);
        const next = live.filter((value) => value.charCodeAt(offset) === code);
        if (next.length === 0) {
          tail.done = true;
          return i;
        }
        live = next;
        offset++;
        i++;
      }
      tail.done = final || live.every((value) => value.length === offset);
      return i;
    },
  };
  return tail;
}
