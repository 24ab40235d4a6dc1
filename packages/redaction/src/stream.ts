import { advance, type Tables } from "./engine.ts";
import { LOOK_BEHIND } from "./left.ts";
import { marker, type Tail } from "./rule.ts";

/** Masks text that arrives in pieces; what it puts out is, put together, what masking the whole text gives. */
export interface StreamMasker {
  /** Takes a piece, returns what can be shown now; at most 256 bytes are held back. */
  push(chunk: string): string;
  /** True when no secret begins in the last piece: masked by itself, wherever it stands, it stays as it is. */
  readonly plain: boolean;
  /** Ends the block: returns the rest and is ready for another block. */
  flush(): string;
}

/** Starts a stream over the tables of a masker. */
export function createStream(tables: Tables): StreamMasker {
  let context = "";
  let held = "";
  let tail: Tail | undefined;
  let plain = false;

  const run = (chunk: string, final: boolean): string => {
    const s = context + held + chunk;
    let out = "";
    const progress = advance(tables, s, context.length, final, tail, {
      keep: (from, to) => {
        out += s.slice(from, to);
      },
      open: (kind) => {
        out += marker(kind);
      },
      close: () => {},
    });
    held = s.slice(progress.at);
    tail = progress.tail;
    context = (context + out).slice(-LOOK_BEHIND);
    return out;
  };

  /** True when nothing begins in `s` after `from` and nothing may grow out of its end. */
  const isPlain = (s: string, from: number): boolean =>
    tables.all.next(s, from, s.length) < 0 && tables.all.partial(s, from, 0) === s.length;

  return {
    get plain() {
      return plain;
    },
    push(chunk) {
      if (chunk === "") return "";
      const s = context + chunk;
      plain = held === "" && tail === undefined && isPlain(s, context.length);
      if (!plain) return run(chunk, false);
      context = s.slice(-LOOK_BEHIND);
      return chunk;
    },
    flush() {
      const out = held === "" && tail === undefined ? "" : run("", true);
      context = "";
      held = "";
      tail = undefined;
      return out;
    },
  };
}
