import { peek, type Reader, readBackticks, readDollar, take } from "./reader.ts";
import { NotUnderstood, type Part, type Word } from "./syntax.ts";

const END_OF_WORD = new Set(["", " ", "\t", "\n", ";", "&", "|", "<", ">", "(", ")"]);

/** Reads one word; undefined when none begins here. */
export function readWord(r: Reader): Word | undefined {
  const parts: Part[] = [];
  let plain = "";
  const flush = (): void => {
    if (plain !== "") parts.push({ type: "text", text: plain, quoted: false });
    plain = "";
  };
  for (;;) {
    const char = peek(r);
    if ((char === "<" || char === ">") && peek(r, 1) === "(") {
      flush();
      r.at += 2;
      parts.push({ type: "script", script: r.nested.closing(r), stream: true });
      continue;
    }
    if (END_OF_WORD.has(char)) break;
    r.at++;
    if (char === "\\") {
      const escaped = peek(r);
      if (escaped === "") throw new NotUnderstood("a trailing backslash");
      r.at++;
      if (escaped === "\n") continue;
      flush();
      parts.push({ type: "text", text: escaped, quoted: true });
    } else if (char === "'") {
      flush();
      parts.push(readSingle(r));
    } else if (char === '"') {
      flush();
      parts.push(...readDouble(r, '"'));
    } else if (char === "$") {
      flush();
      parts.push(readDollar(r, false));
    } else if (char === "`") {
      flush();
      parts.push(readBackticks(r));
    } else plain += char;
  }
  flush();
  return parts.length > 0 ? { parts } : undefined;
}

function readSingle(r: Reader): Part {
  const end = r.source.indexOf("'", r.at);
  if (end < 0) throw new NotUnderstood("an open quote");
  const text = r.source.slice(r.at, end);
  r.at = end + 1;
  return { type: "text", text, quoted: true };
}

/** Reads text with expansions up to `close`, or to the end when `close` is empty (a here-document). */
export function readDouble(r: Reader, close: '"' | ""): Part[] {
  const parts: Part[] = [];
  let text = "";
  for (;;) {
    const char = peek(r);
    if (char === "" && close !== "") throw new NotUnderstood("an open quote");
    if (char === close) {
      r.at += close.length;
      break;
    }
    r.at++;
    if (char === "\\" && ["$", "`", "\\", "\n", close].includes(peek(r)) && peek(r) !== "") {
      text += peek(r) === "\n" ? "" : peek(r);
      r.at++;
    } else if (char === "$" || char === "`") {
      parts.push({ type: "text", text, quoted: true });
      text = "";
      parts.push(char === "$" ? readDollar(r, true) : readBackticks(r));
    } else text += char;
  }
  parts.push({ type: "text", text, quoted: true });
  return parts;
}

/** The word when it is one piece of unquoted text, such as a keyword; else undefined. */
export function bareText(word: Word | undefined): string | undefined {
  const [part, ...more] = word?.parts ?? [];
  return part?.type === "text" && !part.quoted && more.length === 0 ? part.text : undefined;
}

/** Skips blanks, continued lines and a comment; not the end of a line. */
export function skipBlanks(r: Reader): void {
  for (;;) {
    if (take(r, " ") || take(r, "\t") || take(r, "\\\n")) continue;
    if (peek(r) !== "#") return;
    while (peek(r) !== "" && peek(r) !== "\n") r.at++;
  }
}
