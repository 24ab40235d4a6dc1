import { peek, type Reader, take } from "./reader.ts";
import { NotUnderstood, type Redirect, type Word } from "./syntax.ts";
import { readWord, skipBlanks } from "./words.ts";

/** Reads one redirection; undefined when none stands here. The bodies of here-documents come later, at the line's end. */
export function readRedirect(r: Reader): Redirect | undefined {
  const before = r.at;
  if (take(r, "&>>")) return { op: "append", target: target(r) };
  if (take(r, "&>")) return { op: "write", target: target(r) };
  while (/[0-9]/.test(peek(r))) r.at++;
  const process = peek(r, 1) === "(";
  if ((peek(r) !== "<" && peek(r) !== ">") || process) {
    r.at = before;
    return undefined;
  }
  if (take(r, "<<<")) return { op: "document", body: target(r) };
  if (take(r, "<<-")) return document(r, true);
  if (take(r, "<<")) return document(r, false);
  if (take(r, "<>")) return { op: "both", target: target(r) };
  if (take(r, "<&")) return duplicate(r, "read");
  if (take(r, "<")) return { op: "read", target: target(r) };
  if (take(r, ">>")) return { op: "append", target: target(r) };
  if (take(r, ">&")) return duplicate(r, "write");
  if (!take(r, ">|")) take(r, ">");
  return { op: "write", target: target(r) };
}

function target(r: Reader): Word {
  skipBlanks(r);
  const word = readWord(r);
  if (!word) throw new NotUnderstood("a redirection without a target");
  return word;
}

/** `>&2`, `<&-` copy or close a descriptor; `>&file` writes. */
function duplicate(r: Reader, otherwise: "read" | "write"): Redirect {
  const match = /^[0-9]*-?(?=[\s;&|<>()]|$)/.exec(r.source.slice(r.at, r.at + 32));
  if (!match || match[0] === "") return { op: otherwise, target: target(r) };
  r.at += match[0].length;
  return { op: "duplicate", target: { parts: [] } };
}

function document(r: Reader, tabs: boolean): Redirect {
  skipBlanks(r);
  const word = readWord(r);
  if (!word) throw new NotUnderstood("a here-document without a delimiter");
  let literal = false;
  let delimiter = "";
  for (const part of word.parts) {
    if (part.type !== "text") throw new NotUnderstood("a here-document");
    literal ||= part.quoted;
    delimiter += part.text;
  }
  if (delimiter === "") throw new NotUnderstood("a here-document");
  const redirect: { op: "document"; body: Word } = { op: "document", body: { parts: [] } };
  r.documents.push({
    delimiter,
    literal,
    tabs,
    resolve: (body) => {
      redirect.body = body;
    },
  });
  return redirect;
}
