import { resolvePath, SOMEWHERE } from "../../paths.ts";
import { type Arg, type Call, type Context, isOption, operands } from "../context.ts";
import { useOptionValue, usePath } from "../use.ts";
import { gitDestroys, gitReads } from "./git-verbs.ts";
import { codeDeletes } from "./other.ts";

const PLAIN_OPTION =
  /^(--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects|--bare|--paginate|-p|--no-lazy-fetch)$/;
const PLAIN_CONFIG =
  /^(color|column|advice|user|init|i18n|log|status|diff\.(noprefix|mnemonicprefix|renames|algorithm|context))\.?[\w.-]*=|^core\.(quotepath|autocrlf|eol|pager=(cat)?$|editor=true$)|^(commit|tag)\.gpgsign=false$|^gc\.auto=0$|^safe\.directory=/i;

/** Sub-commands that an argument can turn into a destructive one. */
const OPEN_TO_ARGUMENTS = new Set(
  "push reset checkout switch branch tag restore stash reflog submodule bisect worktree remote rm config".split(" "),
);

/** git, by its sub-command: reading is harmless, rewriting history or discarding work is destructive, the rest is high. */
export function git(call: Call) {
  const { args } = call;
  let { cx } = call;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (!arg?.known) return cx.ledger.executes("destructive", "the git command cannot be told beforehand");
    if (!isOption(arg)) break;
    const value = args[i + 1];
    if (arg.text === "-C") {
      cx = inFolder(value, cx);
      i++;
    } else if (arg.text === "-c") {
      setting(value, cx);
      i++;
    } else if (arg.text === "--git-dir" || arg.text === "--work-tree") {
      usePath(value ?? arg, "read", cx);
      cx.ledger.executes("high", "git works on another repository");
      i++;
    } else if (!/^(--version|--help|-h|-v)$/.test(arg.text) && !PLAIN_OPTION.test(arg.text)) {
      useOptionValue(arg, "read", cx);
      cx.ledger.executes("high", `git runs with ${arg.text.split("=")[0]}`);
    }
  }
  const verb = args[i]?.text;
  if (verb === undefined) return;
  judgeVerb(verb, args.slice(i + 1), cx);
}

function judgeVerb(verb: string, args: readonly Arg[], cx: Context) {
  const unknown = args.some((arg) => !arg.known);
  if (gitDestroys(verb, args))
    return cx.ledger.executes("destructive", `git ${verb} discards work or rewrites history`);
  if (gitReads(verb, args)) {
    if (unknown) cx.ledger.raise("high", "a part of the git command cannot be told beforehand");
    for (const arg of operands(args)) if (looksLikePath(arg)) usePath(arg, "read", cx);
    for (const arg of args) useOptionValue(arg, "read", cx);
    return;
  }
  if (unknown && OPEN_TO_ARGUMENTS.has(verb))
    return cx.ledger.executes("destructive", `what git ${verb} does cannot be told beforehand`);
  if (verb === "bisect" && args[0]?.text === "run") cx.inner.words(args.slice(1), cx);
  if (verb === "submodule" && args.some((arg) => arg.text === "foreach")) {
    const words = operands(args).slice(1);
    cx.inner.text(words.map((arg) => arg.text).join(" "), cx);
  }
  if (args.some((arg) => codeDeletes(arg.text) || (verb === "config" && arg.text.startsWith("!"))))
    return cx.ledger.executes("destructive", `git ${verb} is told to run something destructive`);
  cx.ledger.executes("high", `git ${verb} is not on the list of harmless commands`);
}

function looksLikePath({ text }: Arg): boolean {
  return /^[/~]|(^|\/)\.\.(\/|$)/.test(text);
}

function inFolder(folder: Arg | undefined, cx: Context): Context {
  if (!folder?.known) return { ...cx, cwds: [SOMEWHERE] };
  usePath(folder, "read", cx);
  const cwds = cx.cwds.map((cwd) => resolvePath(folder.text, cwd, "/").path);
  return { ...cx, cwds: cwds.map((path) => (path.startsWith("/") ? path : SOMEWHERE)) };
}

/** Settings may name programs that git then runs. */
function setting(value: Arg | undefined, cx: Context) {
  if (!value?.known || /^alias\./i.test(value.text) || /=\s*!/.test(value.text) || codeDeletes(value.text))
    return cx.ledger.executes("destructive", "git is given a command of its own");
  if (!PLAIN_CONFIG.test(value.text)) cx.ledger.executes("high", `git runs with ${value.text.split("=")[0]} set`);
}
