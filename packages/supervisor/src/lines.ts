const NEWLINE = 10;
const HEAD_BYTES = 200;
const KEPT_BYTES = 65_536;

/**
 * `line`: a whole line without its "\n". `tail`: what stood after the last "\n" at the end of the stream.
 * `too-long`: a line of more than `maxBytes`; told once, as soon as it is known, then the line is skipped.
 */
export type Line =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "tail"; readonly text: string }
  | { readonly kind: "too-long"; readonly maxBytes: number; readonly head: string };

/** Cuts a byte stream into lines. */
export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): readonly Line[];
  /** Call once at the end of the stream: the unfinished line, if there is one. */
  end(): Line | undefined;
}

/**
 * Splits at "\n" only (U+2028 and "\r" stay). Characters may be cut anywhere between chunks: a line is decoded whole,
 * invalid UTF-8 becomes U+FFFD. Holds at most `maxBytes` of an unfinished line.
 */
export function createLineSplitter(options: { readonly maxBytes: number }): LineSplitter {
  const { maxBytes } = options;
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) throw new RangeError("maxBytes must be a positive integer");
  const headBytes = Math.min(maxBytes, HEAD_BYTES);
  let held: Buffer = Buffer.alloc(0);
  let length = 0;
  let skipping = false;

  const hold = (part: Buffer): void => {
    if (length + part.length > held.length) {
      const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(length + part.length, held.length * 2)));
      held.copy(grown, 0, 0, length);
      held = grown;
    }
    length += part.copy(held, length);
  };

  const drop = (): void => {
    length = 0;
    if (held.length > KEPT_BYTES) held = Buffer.alloc(0);
  };

  /** Takes a part of a line; the error value when that makes it too long. */
  const take = (part: Buffer): Line | undefined => {
    if (skipping) return undefined;
    if (length + part.length <= maxBytes) {
      if (part.length > 0) hold(part);
      return undefined;
    }
    const start = Buffer.concat([held.subarray(0, Math.min(length, headBytes)), part.subarray(0, headBytes)]);
    skipping = true;
    drop();
    return { kind: "too-long", maxBytes, head: start.toString("utf8", 0, headBytes) };
  };

  const finish = (kind: "line" | "tail"): Line | undefined => {
    const line: Line | undefined = skipping ? undefined : { kind, text: held.toString("utf8", 0, length) };
    skipping = false;
    drop();
    return line;
  };

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const lines: Line[] = [];
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        const whole = length === 0 && !skipping && end - start <= maxBytes;
        if (whole) lines.push({ kind: "line", text: bytes.toString("utf8", start, end) });
        else add(lines, take(bytes.subarray(start, end)), finish("line"));
        start = end + 1;
      }
      add(lines, take(bytes.subarray(start)));
      return lines;
    },
    end: () => (length > 0 ? finish("tail") : undefined),
  };
}

function add(lines: Line[], ...more: readonly (Line | undefined)[]): void {
  for (const line of more) if (line) lines.push(line);
}
