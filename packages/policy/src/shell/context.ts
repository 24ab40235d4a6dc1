import type { Ledger } from "../ledger.ts";
import type { Part, Word } from "./syntax.ts";

/** What is known where a command runs. */
export interface Context {
  readonly ledger: Ledger;
  /** Folders it may run in, `SOMEWHERE` among them when that cannot be told. */
  readonly cwds: readonly string[];
  /** Nesting of scripts in scripts. */
  readonly depth: number;
  /** True: what it reads comes from another command. */
  readonly piped: boolean;
  /** Judges what a command runs in its turn. */
  readonly inner: Inner;
}

/** The way back from a command into the judge. */
export interface Inner {
  /** A command line given as text, e.g. after `sh -c`. */
  text(source: string, cx: Context): void;
  /** A command given as words, e.g. after `nohup`. */
  words(words: readonly Arg[], cx: Context): void;
}

/** An argument as the command will see it, as far as that can be told. */
export interface Arg {
  readonly text: string;
  /** False: it holds a value or an output that is not known beforehand, or braces that expand. */
  readonly known: boolean;
  /** True: it may expand to other names. */
  readonly glob: boolean;
  /** True: it is the output of a command, as a file. */
  readonly stream: boolean;
}

/** One command with its arguments, wrappers taken off. */
export interface Call {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly cx: Context;
  /** Text of a here-document or here-string that is its input; absent if there is none. */
  readonly document?: string;
}

/** Judges one command: notes in the ledger what it does. */
export type Handler = (call: Call) => void;

/** Joins the parts of a word. */
export function toArg(word: Word): Arg {
  const bare = word.parts.map((part) => (part.type === "text" && !part.quoted ? part.text : "\0")).join("");
  return {
    text: word.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
    known: word.parts.every(isText) && !bracesExpand(bare),
    glob: /[*?[]/.test(bare),
    stream: word.parts.length === 1 && word.parts[0]?.type === "script" && word.parts[0].stream === true,
  };
}

/** `{a,b}` and `{1..9}` become other words; told in one pass, a little too strictly. */
function bracesExpand(bare: string): boolean {
  const open = bare.indexOf("{");
  return open >= 0 && /,|\.\./.test(bare.slice(open));
}

function isText(part: Part): boolean {
  return part.type === "text";
}

/** An argument that is not known beforehand. */
export const UNKNOWN_ARG: Arg = { text: "", known: false, glob: false, stream: false };

/** Splits leading options from operands; `--` ends the options. */
export function operands(args: readonly Arg[]): Arg[] {
  const end = args.findIndex((arg) => arg.text === "--");
  const before = end < 0 ? args : args.slice(0, end);
  const after = end < 0 ? [] : args.slice(end + 1);
  return [...before.filter((arg) => !isOption(arg)), ...after];
}

/** Whether an argument reads as an option; an unknown one never does. */
export function isOption(arg: Arg): boolean {
  return arg.text.startsWith("-") && arg.text.length > 1;
}

/** Whether one of the short letters or long names is among the options. Long options may be shortened or carry a value. */
export function hasOption(args: readonly Arg[], letters: string, ...names: readonly string[]): boolean {
  const end = args.findIndex((arg) => arg.text === "--");
  return (end < 0 ? args : args.slice(0, end)).some(({ text }) => {
    if (text.startsWith("--")) {
      const given = text.slice(2).split("=")[0] ?? "";
      return given.length > 1 && names.some((name) => name.startsWith(given));
    }
    return /^-[A-Za-z0-9]/.test(text) && [...letters].some((letter) => text.slice(1).includes(letter));
  });
}
