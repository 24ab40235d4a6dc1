import { MAX_DEPTH, MAX_LENGTH, peek, type Reader, take } from "./reader.ts";
import { readRedirect } from "./redirects.ts";
import {
  type Assignment,
  type Command,
  NotUnderstood,
  type Redirect,
  type Script,
  type Step,
  type Word,
} from "./syntax.ts";
import { bareText, readDouble, readWord, skipBlanks } from "./words.ts";

/** Before a command these only sequence what follows. */
const OPENING = new Set(["if", "then", "elif", "else", "while", "until", "do", "{", "!"]);
/** Their bodies are not followed. */
const REFUSED = new Set(["case", "esac", "function", "select", "coproc", "in"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/** Parses a command line of POSIX sh or bash. Throws `NotUnderstood` for anything else. */
export function parseScript(source: string, depth = 0): Script {
  if (depth > MAX_DEPTH) throw new NotUnderstood("nested too deeply");
  if (source.length > MAX_LENGTH) throw new NotUnderstood("too long");
  if (hasOddCharacters(source)) throw new NotUnderstood("characters that do not print");
  const reader: Reader = {
    source,
    at: 0,
    depth,
    documents: [],
    nested: {
      closing: (r) => {
        if (r.documents.length > 0) throw new NotUnderstood("a here-document around a substitution");
        const inner: Reader = { ...r, depth: r.depth + 1, documents: [] };
        if (inner.depth > MAX_DEPTH) throw new NotUnderstood("nested too deeply");
        const script = readScript(inner, ")");
        if (inner.documents.length > 0) throw new NotUnderstood("an open here-document");
        r.at = inner.at;
        return script;
      },
      whole: parseScript,
    },
  };
  const script = readScript(reader, "");
  if (reader.documents.length > 0) throw new NotUnderstood("an open here-document");
  return script;
}

/** Control characters, invisible ones (but for those that join emoji), and blanks other than space, tab and newline. */
function hasOddCharacters(source: string): boolean {
  return /(?![\n\t \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u.test(source);
}

function readScript(r: Reader, close: ")" | ""): Script {
  const steps: Step[] = [];
  let joint: Step["joint"] = "start";
  for (;;) {
    skipEmpty(r);
    if (close === "" ? r.at >= r.source.length : take(r, close)) break;
    if (peek(r) === "") throw new NotUnderstood("an open parenthesis");
    steps.push({ joint, pipeline: readPipeline(r) });
    skipBlanks(r);
    if (close !== "" && take(r, close)) break;
    joint = readJoint(r);
  }
  return { steps };
}

function skipEmpty(r: Reader): void {
  do skipBlanks(r);
  while (readNewline(r));
}

function readJoint(r: Reader): Step["joint"] {
  if (take(r, "&&")) return afterOperator(r, "and");
  if (take(r, "||")) return afterOperator(r, "or");
  if (take(r, ";;") || take(r, ";&")) throw new NotUnderstood("a case list");
  if (take(r, ";") || take(r, "&") || readNewline(r) || peek(r) === "") return "then";
  throw new NotUnderstood(`"${peek(r)}" where a command ends`);
}

/** Something must follow `&&`, `||` and `|`. */
function afterOperator<T>(r: Reader, joint: T): T {
  skipEmpty(r);
  if (peek(r) === "" || peek(r) === ")") throw new NotUnderstood("nothing after an operator");
  return joint;
}

/** Takes the end of a line, and with it the bodies of the here-documents announced on it. */
function readNewline(r: Reader): boolean {
  if (!take(r, "\n")) return false;
  for (const document of r.documents.splice(0)) {
    const lines: string[] = [];
    for (;;) {
      if (r.at >= r.source.length) throw new NotUnderstood("an open here-document");
      const end = r.source.indexOf("\n", r.at);
      const line = r.source.slice(r.at, end < 0 ? r.source.length : end);
      r.at = end < 0 ? r.source.length : end + 1;
      if (!document.literal && line.endsWith("\\")) throw new NotUnderstood("a continued here-document");
      if ((document.tabs ? line.replace(/^\t+/, "") : line) === document.delimiter) break;
      lines.push(line);
    }
    const body = lines.join("\n");
    document.resolve(
      document.literal
        ? { parts: [{ type: "text", text: body, quoted: true }] }
        : { parts: readDouble({ ...r, source: body, at: 0, documents: [] }, "") },
    );
  }
  return true;
}

function readPipeline(r: Reader): Command[] {
  const commands = [readCommand(r)];
  for (;;) {
    skipBlanks(r);
    if (r.source.startsWith("||", r.at)) return commands;
    if (!take(r, "|&") && !take(r, "|")) return commands;
    afterOperator(r, "");
    commands.push(readCommand(r));
  }
}

function readCommand(r: Reader): Command {
  for (;;) {
    skipEmpty(r);
    if (take(r, "((")) throw new NotUnderstood("arithmetic");
    if (take(r, "(")) {
      const script = r.nested.closing(r);
      return { type: "subshell", script, redirects: readRedirects(r) };
    }
    const before = r.at;
    const keyword = bareText(readWord(r));
    if (keyword !== undefined && REFUSED.has(keyword)) throw new NotUnderstood(keyword);
    if (keyword === "for") return readFor(r);
    if (keyword === "[[") return readTest(r);
    if (keyword === undefined || !OPENING.has(keyword)) {
      r.at = before;
      return readSimple(r);
    }
  }
}

/** `for NAME in WORDS`: the words are kept as arguments, for what is substituted in them. */
function readFor(r: Reader): Command {
  skipBlanks(r);
  const name = bareText(readWord(r));
  if (name === undefined || !/^[A-Za-z_]\w*$/.test(name)) throw new NotUnderstood("a for loop");
  skipEmpty(r);
  const before = r.at;
  if (bareText(readWord(r)) !== "in") {
    r.at = before;
    return { type: "simple", assignments: [], words: [], redirects: [] };
  }
  const { words, ...rest } = readSimple(r, [{ parts: [{ type: "text", text: "for", quoted: false }] }]);
  return { ...rest, words };
}

/** `[[ … ]]`: its words are kept, its operators are not needed. */
function readTest(r: Reader): Command {
  const words: Word[] = [{ parts: [{ type: "text", text: "[[", quoted: false }] }];
  for (;;) {
    skipEmpty(r);
    if (["&&", "||", "(", ")"].some((operator) => take(r, operator))) continue;
    const word = readWord(r) ?? (take(r, "<") || take(r, ">") ? undefined : null);
    if (word === null) throw new NotUnderstood("a test");
    if (bareText(word) === "]]") return { type: "simple", assignments: [], words, redirects: readRedirects(r) };
    if (word) words.push(word);
  }
}

function readSimple(r: Reader, start: readonly Word[] = []) {
  const words: Word[] = [...start];
  const assignments: Assignment[] = [];
  const redirects: Redirect[] = [];
  for (;;) {
    skipBlanks(r);
    const redirect = readRedirect(r);
    if (redirect) {
      redirects.push(redirect);
      continue;
    }
    const word = readWord(r);
    if (word === undefined) break;
    const assignment = words.length === 0 ? asAssignment(word) : undefined;
    if (assignment) assignments.push(assignment);
    else words.push(word);
  }
  if (peek(r) === "(") throw new NotUnderstood("a function or an array");
  if (words.length + assignments.length + redirects.length === 0)
    throw new NotUnderstood("an operator without a command");
  return { type: "simple" as const, assignments, words, redirects };
}

function asAssignment(word: Word): Assignment | undefined {
  const [first, ...rest] = word.parts;
  if (first?.type !== "text" || first.quoted) return undefined;
  const match = ASSIGNMENT.exec(first.text);
  if (!match) return undefined;
  const text = first.text.slice(match[0].length);
  return { name: match[1] ?? "", value: { parts: [{ type: "text", text, quoted: false }, ...rest] } };
}

function readRedirects(r: Reader): Redirect[] {
  const redirects: Redirect[] = [];
  for (;;) {
    skipBlanks(r);
    const redirect = readRedirect(r);
    if (!redirect) return redirects;
    redirects.push(redirect);
  }
}
