import { type Call, type Handler, operands } from "../context.ts";
import { usePath } from "../use.ts";
import { codeDeletes, other } from "./other.ts";

const SHELLS = "sh bash dash ash zsh ksh mksh rbash";
const FOREIGN = "fish csh tcsh pwsh powershell cmd cmd.exe powershell.exe nu xonsh eval alias unalias trap parallel";
const INTERPRETERS =
  "python python2 python3 pypy3 node nodejs perl ruby php lua luajit Rscript osascript awk gawk mawk nawk tclsh expect tsx ts-node groovy scala julia elixir";

/** Commands that run code. */
export function shells(): Map<string, Handler> {
  const table = new Map<string, Handler>();
  for (const name of SHELLS.split(" ")) table.set(name, shell);
  for (const name of FOREIGN.split(" ")) table.set(name, foreign);
  for (const name of INTERPRETERS.split(" ")) table.set(name, interpreter);
  return table;
}

/** A shell with a command line is looked into; one that reads commands from elsewhere cannot be. */
function shell(call: Call) {
  const { args, cx } = call;
  if (args.length === 1 && args[0]?.text === "--version") return;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg?.known) break;
    const { text } = arg;
    if (/^--(rcfile|init-file)/.test(text))
      return cx.ledger.executes("destructive", "a shell reads commands from a file");
    if (/^[-+][abefhilmnprtuvxBCEHPT]*[oO]$/.test(text)) {
      i++;
      continue;
    }
    if (/^--/.test(text) || /^[-+][abefhilmnprtuvxBCEHPT]+$/.test(text)) continue;
    if (/^-[A-Za-z]*c$/.test(text)) return commandString(call, i + 1);
    if (/^[-+]/.test(text)) break;
    usePath(arg, "read", cx);
    return cx.ledger.executes("high", "it runs a script");
  }
  cx.ledger.executes("destructive", "a shell reads commands that cannot be told beforehand");
}

function commandString({ args, cx }: Call, at: number) {
  const text = args[at];
  if (!text?.known) return cx.ledger.executes("destructive", "a shell runs a text that cannot be told beforehand");
  cx.inner.text(text.text, { ...cx, piped: false });
}

function foreign({ name, cx }: Call) {
  cx.ledger.executes("destructive", `what ${name} runs cannot be told beforehand`);
}

/** Interpreters that `-v` only makes talkative: they go on to read code from their input. */
const TALKATIVE = /^(python\d?|pypy3|expect|\w*awk|groovy|osascript)$/;

/** Code is not looked into, except for plain signs of deletion. */
function interpreter(call: Call) {
  const { args, cx, name } = call;
  if (isVersion(call) && !(TALKATIVE.test(name) && args[0]?.text === "-v") && name !== "tclsh") return;
  if (args.some((arg) => codeDeletes(arg.text)) || codeDeletes(call.document)) return other(call);
  const fromInput = args.every(
    (arg) => arg.text.startsWith("-") && !/^-[a-zA-Z]*[ce]$|^--eval|^-p|^--print/.test(arg.text),
  );
  if (call.document === undefined && cx.piped && fromInput)
    return cx.ledger.executes("destructive", `${name} reads code from another command`);
  if (operands(args)[0]?.known === false)
    return cx.ledger.executes("destructive", `${name} runs code that cannot be told beforehand`);
  cx.ledger.executes("high", `${name} runs code`);
}

/** Asking for the version is harmless. */
export function isVersion({ args }: Call): boolean {
  const [only, ...more] = args;
  return more.length === 0 && only !== undefined && /^(--version|-V|-v)$/.test(only.text);
}
