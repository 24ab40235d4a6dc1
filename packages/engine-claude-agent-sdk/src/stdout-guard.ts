import { Transform, type TransformCallback } from "node:stream";
import { stripVTControlCharacters } from "node:util";

const NEWLINE = 10;
const NEWLINE_BYTES = Buffer.of(NEWLINE);
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
/** How every message begins. */
const BEGINNING = '{"';
/** Places in a line where a message could begin that are looked at. */
const MAX_TRIES = 8;
/** A line that looks like an object and is longer than this is taken for one, unseen. */
const DOUBTED_BYTES = 64 * 1024;
/** What U+2028 and U+2029 begin with in UTF-8, and their last bytes. */
const SEPARATOR = Buffer.from([0xe2, 0x80]);
const LINE_SEPARATOR = 0xa8;
const PARAGRAPH_SEPARATOR = 0xa9;
const SHOWN_BYTES = 400;

/** What a guard is told, and whom it tells. */
export interface StdoutGuardOptions {
  /** The longest line, in bytes. */
  readonly maxLineBytes: number;
  /** A line, or a part of one, that is no JSON object was left out; its beginning, without what only sets up a terminal. */
  readonly foreign: (beginning: string) => void;
  /** A line became too long. Nothing is passed on any more. */
  readonly tooLong: () => void;
}

/**
 * Stands between a CLI's stdout and the SDK, which splits lines at U+2028 too, keeps lines of any length, and breaks on JSON
 * that is no object. Passes whole lines of bounded length that may be objects, with those characters escaped.
 */
export class StdoutGuard extends Transform {
  readonly #options: StdoutGuardOptions;
  /** The beginning of a line whose end has not come. */
  #begun = Buffer.alloc(0);
  #length = 0;
  #closed = false;
  #held = false;
  #resume: (() => void) | undefined;

  constructor(options: StdoutGuardOptions) {
    super();
    this.#options = options;
  }

  /** Takes no more from the CLI than what is on its way, until the returned function is called. */
  hold(): () => void {
    this.#held = true;
    return () => {
      this.#held = false;
      this.#resume?.();
      this.#resume = undefined;
    };
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1 && !this.#closed; at = chunk.indexOf(NEWLINE, from)) {
      this.#complete(chunk.subarray(from, at + 1), lines);
      from = at + 1;
    }
    if (from < chunk.length) this.#begin(chunk.subarray(from));
    if (lines.length > 0) this.push(lines.length === 1 ? lines[0] : Buffer.concat(lines));
    if (this.#held) this.#resume = done;
    else done();
  }

  override _flush(done: TransformCallback): void {
    const lines: Buffer[] = [];
    if (this.#length > 0) this.#complete(Buffer.from("\n"), lines);
    done(null, lines[0]);
  }

  #begin(part: Buffer): void {
    const length = this.#length + part.length;
    if (this.#closed || this.#isTooLong(length)) return;
    if (length > this.#begun.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#begun.length));
      this.#begun.copy(larger, 0, 0, this.#length);
      this.#begun = larger;
    }
    part.copy(this.#begun, this.#length);
    this.#length = length;
  }

  /** `end`: the rest of a line with its newline. */
  #complete(end: Buffer, lines: Buffer[]): void {
    let line = end;
    if (this.#length > 0) {
      this.#begin(end);
      line = this.#begun.subarray(0, this.#length);
      this.#begun = Buffer.alloc(0);
      this.#length = 0;
    }
    if (this.#closed || this.#isTooLong(line.length)) return;
    const { message, noise } = takeApart(line);
    if (message) lines.push(escapeSeparators(message));
    const beginning = stripVTControlCharacters(noise.toString("utf8", 0, SHOWN_BYTES)).trim();
    if (beginning !== "") this.#options.foreign(beginning);
  }

  #isTooLong(length: number): boolean {
    if (length <= this.#options.maxLineBytes) return false;
    this.#closed = true;
    this.#begun = Buffer.alloc(0);
    this.#length = 0;
    this.#options.tooLong();
    return true;
  }
}

/**
 * What of a line is a message, and what is not: a message may stand behind a text that was printed without a newline, or
 * before a sequence that resets the terminal.
 */
function takeApart(line: Buffer): { readonly message?: Buffer; readonly noise: Buffer } {
  const [from, to] = [line.indexOf(OPENING_BRACE), line.lastIndexOf(CLOSING_BRACE) + 1];
  if (from === -1 || to <= from) return { noise: line };
  const isAlone = isBlank(line.subarray(0, from)) && isBlank(line.subarray(to));
  if (isAlone && (line.length > DOUBTED_BYTES || objectIn(line.subarray(from, to)))) {
    return { message: line, noise: Buffer.alloc(0) };
  }
  for (let at = line.indexOf(BEGINNING), tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    const part = line.subarray(at, to);
    if (typeof objectIn(part)?.type === "string") {
      return {
        message: Buffer.concat([part, NEWLINE_BYTES]),
        noise: Buffer.concat([line.subarray(0, at), line.subarray(to)]),
      };
    }
    at = line.indexOf(BEGINNING, at + 1);
  }
  return { noise: line };
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte <= 0x20);
}

/** The object that a text beginning with a brace is, if it is JSON. */
function objectIn(text: Buffer): { readonly type?: unknown } | undefined {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

/** In JSON these characters stand in strings alone, where an escape means the same. */
function escapeSeparators(line: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = line.indexOf(SEPARATOR); at !== -1; at = line.indexOf(SEPARATOR, at + 1)) {
    const last = line[at + 2];
    if (last !== LINE_SEPARATOR && last !== PARAGRAPH_SEPARATOR) continue;
    parts.push(line.subarray(from, at), Buffer.from(last === LINE_SEPARATOR ? "\\u2028" : "\\u2029"));
    from = at + 3;
  }
  return from === 0 ? line : Buffer.concat([...parts, line.subarray(from)]);
}
