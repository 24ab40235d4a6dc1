import { setImmediate as nextTick } from "node:timers/promises";

/** Nesting beyond this is refused before anything walks the value. */
export const MAX_DEPTH = 128;
/** Members and elements of all objects and arrays of a body together. */
export const MAX_VALUES = 10_000;

/** So many bytes are looked at before everybody else has a turn. */
const SLICE_BYTES = 4 * 1024 * 1024;

const QUOTE = 1;
const BACKSLASH = 2;
const COMMA = 3;
const OPEN = 4;
const CLOSE = 5;
/** What a byte means, 0 for most. */
const KINDS = new Uint8Array(256);
for (const [kind, chars] of [
  [QUOTE, '"'],
  [BACKSLASH, "\\"],
  [COMMA, ","],
  [OPEN, "{["],
  [CLOSE, "}]"],
] as const) {
  for (const char of chars) KINDS[char.charCodeAt(0)] = kind;
}

/** What JSON text has too much of. */
export type Fault = "deep" | "many" | undefined;

/** As `scanJson`, for text so short that nobody waits for it. */
export function scanShortJson(bytes: Uint8Array): Fault {
  return new Scan().slice(bytes);
}

/**
 * What is wrong with JSON text before it is parsed: nested too deeply, or so many values that building and checking them would
 * hold up everybody else. One pass over the bytes, no recursion, stops at the first fault; says nothing about the syntax.
 */
export async function scanJson(bytes: Uint8Array): Promise<Fault> {
  const scan = new Scan();
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    if (from > 0) await nextTick();
    const fault = scan.slice(bytes.subarray(from, from + SLICE_BYTES));
    if (fault) return fault;
  }
  return undefined;
}

class Scan {
  #depth = 0;
  #values = 0;
  #inString = false;
  #escaped = false;

  slice(bytes: Uint8Array): Fault {
    let [depth, values, inString, escaped] = [this.#depth, this.#values, this.#inString, this.#escaped];
    for (let i = 0; i < bytes.length; i++) {
      const kind = KINDS[bytes[i] ?? 0];
      if (escaped) escaped = false;
      else if (kind === 0) continue;
      else if (kind === QUOTE) inString = !inString;
      else if (inString) escaped = kind === BACKSLASH;
      else if (kind === CLOSE) depth--;
      else if (kind !== BACKSLASH) {
        if (++values > MAX_VALUES) return "many";
        if (kind === OPEN && ++depth > MAX_DEPTH) return "deep";
      }
    }
    [this.#depth, this.#values, this.#inString, this.#escaped] = [depth, values, inString, escaped];
    return undefined;
  }
}
