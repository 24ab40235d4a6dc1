import { resolvePath, SOMEWHERE } from "../paths.ts";
import { handlerOf } from "./commands/index.ts";
import { other } from "./commands/other.ts";
import type { Arg, Call, Context } from "./context.ts";

/** The words of a simple command, with what is set before it and what it reads. */
export interface Words {
  readonly words: readonly Arg[];
  readonly assigned: readonly { readonly name: string; readonly value: Arg }[];
  readonly document?: string;
}

const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin\//;
/** Variables that change nothing but looks. */
const PLAIN_VARIABLE =
  /^(LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|NODE_ENV|DEBUG|[a-z_][a-z0-9_]*)$/;

/** Judges one simple command; returns the folders in which the next one may run. */
export function judgeCall({ words, assigned, document }: Words, cx: Context): readonly string[] {
  for (const { name, value } of assigned) judgeAssignment(name, value, cx);
  const [first, ...args] = words;
  if (!first) return cx.cwds;
  if (!first.known || (first.glob && !/^\[\[?$/.test(first.text)) || !/^[\x21-\x7e]+$/.test(first.text)) {
    cx.ledger.executes("destructive", "the command itself cannot be told beforehand");
    return cx.cwds;
  }
  const name = first.text.replace(SYSTEM_FOLDER, "");
  if (name === "cd") return changeFolder(args, cx);
  if (name === "pushd" || name === "popd") return [...cx.cwds, SOMEWHERE];
  const call: Call = { name, args, cx, ...(document === undefined ? {} : { document }) };
  const handler = name.includes("/") ? undefined : handlerOf(name);
  (handler ?? other)(call);
  return cx.cwds;
}

function judgeAssignment(name: string, value: Arg, cx: Context): void {
  if (/\$\(|`/.test(value.text)) {
    cx.ledger.executes("destructive", "it stores a command in a variable");
    return;
  }
  if (!PLAIN_VARIABLE.test(name)) cx.ledger.executes("high", `it sets ${name}`);
}

function changeFolder(args: readonly Arg[], cx: Context): readonly string[] {
  const target = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg.text));
  if (!target?.known || target.glob || target.text === "-") return [SOMEWHERE];
  return [...new Set(cx.cwds.map((cwd) => resolvePath(target.text, cwd, "/").path))].map((path) =>
    path.startsWith("/") ? path : SOMEWHERE,
  );
}
