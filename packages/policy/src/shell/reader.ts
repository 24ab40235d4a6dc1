import { NotUnderstood, type Part, type Script, type Word } from "./syntax.ts";

/** Nesting of substitutions and of `sh -c` beyond which a line counts as not understood. */
export const MAX_DEPTH = 12;
/** Characters beyond which a line counts as not understood. */
export const MAX_LENGTH = 100_000;

/** A here-document whose body comes after the end of the line. */
export interface PendingDocument {
  readonly delimiter: string;
  readonly literal: boolean;
  readonly tabs: boolean;
  resolve(body: Word): void;
}

/** Position in a command line, shared by everything that reads it. */
export interface Reader {
  readonly source: string;
  at: number;
  readonly depth: number;
  readonly documents: PendingDocument[];
  /** Parses a nested script up to the closing parenthesis, or a whole text. */
  readonly nested: { closing(reader: Reader): Script; whole(source: string, depth: number): Script };
}

/** The character at the position, or "" at the end. */
export function peek(r: Reader, ahead = 0): string {
  return r.source[r.at + ahead] ?? "";
}

/** Takes `text` if it stands at the position. */
export function take(r: Reader, text: string): boolean {
  if (!r.source.startsWith(text, r.at)) return false;
  r.at += text.length;
  return true;
}

/** Reads the expansion after `$`, which has been taken. */
export function readDollar(r: Reader, quoted: boolean): Part {
  if (r.depth > MAX_DEPTH) throw new NotUnderstood("nested too deeply");
  if (take(r, "((")) return readArithmetic(r);
  if (peek(r) === "[") throw new NotUnderstood("arithmetic");
  if (take(r, "(")) return { type: "script", script: r.nested.closing(r) };
  if (take(r, "{")) return readBraced(r);
  const name = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/.exec(r.source.slice(r.at, r.at + 256))?.[0];
  if (name !== undefined) {
    r.at += name.length;
    return { type: "value" };
  }
  if (!quoted && (peek(r) === "'" || peek(r) === '"')) throw new NotUnderstood("special quoting");
  return { type: "text", text: "$", quoted: true };
}

/** Reads up to the closing backtick; the opening one has been taken. */
export function readBackticks(r: Reader): Part {
  if (r.documents.length > 0) throw new NotUnderstood("a here-document around a substitution");
  if (r.depth > MAX_DEPTH) throw new NotUnderstood("nested too deeply");
  let text = "";
  for (;;) {
    const char = peek(r);
    if (char === "") throw new NotUnderstood("an open backtick");
    r.at++;
    if (char === "`") break;
    if (char === "\\" && /[\\`$]/.test(peek(r))) {
      text += peek(r);
      r.at++;
    } else text += char;
  }
  return { type: "script", script: r.nested.whole(text, r.depth + 1) };
}

/** A name in an expression: its text is an expression again. Numbers such as `0x1f` are none. */
const NAMES = /(?<![\w])[A-Za-z_]|\$/;

/** Arithmetic may run commands in subscripts and substitutions: only plain terms are understood. */
function readArithmetic(r: Reader): Part {
  const end = r.source.indexOf("))", r.at);
  if (end < 0) throw new NotUnderstood("open arithmetic");
  const inner = r.source.slice(r.at, end);
  if (!/^[\w\s$+\-*/%<>=!&|^~?:(),]*$/.test(inner) || inner.includes("$(")) throw new NotUnderstood("arithmetic");
  r.at = end + 2;
  return NAMES.test(inner) ? { type: "value", evaluates: true } : { type: "value" };
}

/** `${NAME}` with at most a plain operator; anything that could run a command is not understood. */
function readBraced(r: Reader): Part {
  const end = r.source.indexOf("}", r.at);
  const inner = end < 0 ? "" : r.source.slice(r.at, end);
  if (!/^[#!]?(?:[A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[[@*0-9]+\])?(?:[:#%/,^+=?-][^`$"'\\{}()<>@]*)?$/.test(inner))
    throw new NotUnderstood("an expansion");
  r.at = end + 1;
  const part = /^\w+(?:\[.*?\])?:(?![-=?+])(.*)$/.exec(inner)?.[1];
  return inner.startsWith("!") || (part !== undefined && NAMES.test(part))
    ? { type: "value", evaluates: true }
    : { type: "value" };
}
