import type { Use } from "../../ledger.ts";
import { resolvePath } from "../../paths.ts";
import { type Arg, type Call, type Context, type Handler, hasOption, operands } from "../context.ts";
import { useOptionValue, usePath } from "../use.ts";
import { other } from "./other.ts";

/** Commands that write or delete the files they name. */
export function writers(): Map<string, Handler> {
  return new Map<string, Handler>([
    ["mkdir", (call) => useAll(call, "write")],
    ["touch", (call) => useAll(call, "write")],
    ["tee", (call) => useAll(call, hasOption(call.args, "a", "append") ? "write" : "overwrite")],
    ["rm", remove],
    ["rmdir", remove],
    ["unlink", remove],
    ["shred", remove],
    ["truncate", remove],
    ["cp", copy],
    ["ln", copy],
    ["mv", move],
    ["chmod", chmod],
    ["chown", own],
    ["chgrp", own],
    ["dd", dd],
    ["sed", sed],
  ]);
}

function useAll({ args, cx }: Call, use: Use) {
  for (const arg of operands(args)) usePath(arg, use, cx);
  for (const arg of args) useOptionValue(arg, "read", cx);
}

function remove(call: Call) {
  call.cx.ledger.raise("destructive", `${call.name} deletes`);
  useAll(call, "delete");
}

/** Splits the operands into what is read and what is written; `-t` names the target first. */
function targets({ args }: Call): { readonly sources: Arg[]; readonly target: Arg | undefined } {
  const all = operands(args);
  const t = args.findIndex((arg) => arg.text === "-t" || arg.text === "--target-directory");
  const named = t >= 0 ? args[t + 1] : args.find((arg) => /^(--target-directory=|-t.)/.test(arg.text));
  if (!named) return { sources: all.slice(0, -1), target: all.at(-1) };
  const target = { ...named, text: named.text.replace(/^(--target-directory=|-t(?=.))/, "") };
  return { sources: all.filter((arg) => arg !== named), target };
}

function copy(call: Call) {
  const { sources, target } = targets(call);
  const soft =
    hasOption(call.args, "n", "no-clobber", "backup") || (call.name === "ln" && !hasOption(call.args, "f", "force"));
  for (const arg of sources) usePath(arg, "read", call.cx);
  if (target) usePath(target, soft ? "write" : "overwrite", call.cx);
}

function move(call: Call) {
  const { sources, target } = targets(call);
  for (const arg of sources) usePath(arg, "write", call.cx);
  if (target) usePath(target, hasOption(call.args, "n", "no-clobber") ? "write" : "overwrite", call.cx);
}

function chmod(call: Call) {
  const [mode, ...files] = operands(call.args);
  if (!mode || files.length === 0 || hasOption(call.args, "", "reference")) return other(call);
  if (!mode.known || /s|^0*[1-7][0-7]{3}$/.test(mode.text))
    return call.cx.ledger.executes("destructive", "it gives a file the rights of its owner");
  for (const arg of files) {
    usePath(arg, "write", call.cx);
    rights(arg, call.cx);
  }
}

/** Rights of files outside the workspace are the system's. */
function rights(arg: Arg, cx: Context) {
  const { workspace } = cx.ledger.place;
  if (!arg.known || cx.cwds.some((cwd) => !resolvePath(arg.text, cwd, workspace).inside))
    cx.ledger.raise("destructive", "it changes rights outside the workspace");
}

function own(call: Call) {
  call.cx.ledger.executes("high", "it changes the owner of files");
  for (const arg of operands(call.args).slice(1)) {
    usePath(arg, "write", call.cx);
    rights(arg, call.cx);
  }
}

function dd(call: Call) {
  call.cx.ledger.raise("high", "dd copies raw data");
  for (const arg of call.args) {
    const use = arg.text.startsWith("of=") ? "overwrite" : "read";
    if (/^[io]f=/.test(arg.text)) usePath({ ...arg, text: arg.text.slice(3) }, use, call.cx);
    else if (!arg.known) call.cx.ledger.raise("destructive", "the target of dd cannot be told");
  }
}

/** One or more line ranges to print, or one substitution without effects of its own. */
const PRINT = /^((\d+|\$)(,(\d+|\$))?p[;\s]*)+$/;
const SUBSTITUTE = /^s([/|#,:])((?!\1)[^\\\n]|\\.)*\1((?!\1)[^\\\n]|\\.)*\1[gpiI0-9]*$/;

function sed(call: Call) {
  const { args, cx } = call;
  if (hasOption(args, "i", "in-place")) {
    cx.ledger.executes("high", "sed edits files in place");
    for (const arg of operands(args).slice(1)) usePath(arg, "write", cx);
    return;
  }
  const [script, ...files] = operands(args);
  const simple = args.every(
    (arg) => !arg.text.startsWith("-") || /^-[nErsu]+$|^--(quiet|silent|regexp-extended|)$/.test(arg.text),
  );
  if (!simple || !script?.known || !(PRINT.test(script.text) || SUBSTITUTE.test(script.text))) return other(call);
  for (const arg of files) usePath(arg, "read", cx);
}
