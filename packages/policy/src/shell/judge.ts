import type { Ledger } from "../ledger.ts";
import { judgeCall } from "./call.ts";
import { type Context, toArg } from "./context.ts";
import { parseScript } from "./parse.ts";
import { MAX_DEPTH } from "./reader.ts";
import {
  type Command,
  NotUnderstood,
  type Redirect,
  type Script,
  type SimpleCommand,
  type Step,
  type Word,
} from "./syntax.ts";
import { judgeRedirect } from "./use.ts";

/** Judges a command line that runs in `cwd` (absolute): what cannot be understood is destructive. Never throws. */
export function judgeCommandLine(source: string, cwd: string, ledger: Ledger): void {
  judgeText(source, {
    ledger,
    cwds: [cwd],
    depth: 0,
    piped: false,
    inner: {
      text: (text, cx) => judgeText(text, { ...cx, depth: cx.depth + 1 }),
      words: (words, cx) => {
        judgeCall({ words, assigned: [] }, deeper(cx));
      },
    },
  });
}

function judgeText(source: string, cx: Context): void {
  try {
    judgeScript(parseScript(source, cx.depth), cx);
  } catch (error) {
    const what = error instanceof NotUnderstood ? error.message : "it cannot be read";
    cx.ledger.executes("destructive", `the command line cannot be understood: ${what}`);
  }
}

function deeper(cx: Context): Context {
  if (cx.depth > 2 * MAX_DEPTH) throw new NotUnderstood("nested too deeply");
  return { ...cx, depth: cx.depth + 1 };
}

/** Judges the steps in order. Where a step may have failed, the folders before it stay possible. */
function judgeScript(script: Script, cx: Context): void {
  let now = cx.cwds;
  let failed: readonly string[] = [];
  for (const step of script.steps) {
    if (step.joint !== "and") {
      now = [...new Set([...now, ...failed])];
      failed = [];
    }
    failed = [...new Set([...failed, ...now])];
    now = judgeStep(step, { ...cx, cwds: now });
  }
}

/** The folders after a step that succeeds. A `cd` in a pipeline or a subshell changes nothing outside it. */
function judgeStep(step: Step, cx: Context): readonly string[] {
  const [only] = step.pipeline;
  if (step.pipeline.length === 1 && only?.type === "simple") return judgeSimple(only, cx);
  step.pipeline.forEach((command, i) => {
    judgeCommand(command, { ...cx, piped: cx.piped || i > 0 });
  });
  return cx.cwds;
}

function judgeCommand(command: Command, cx: Context): void {
  if (command.type === "simple") {
    judgeSimple(command, cx);
    return;
  }
  judgeScript(command.script, cx);
  judgeRedirects(command.redirects, cx);
}

function judgeSimple(command: SimpleCommand, cx: Context): readonly string[] {
  for (const word of command.words) judgeWord(word, cx);
  for (const { value } of command.assignments) judgeWord(value, cx);
  judgeRedirects(command.redirects, cx);
  if (command.words.length === 0 && command.redirects.some((redirect) => redirect.op === "write"))
    cx.ledger.raise("high", "it empties a file");
  const body = command.redirects.find((redirect) => redirect.op === "document");
  return judgeCall(
    {
      words: command.words.map(toArg),
      assigned: command.assignments.map(({ name, value }) => ({ name, value: toArg(value) })),
      ...(body ? { document: toArg(body.body).text } : {}),
    },
    cx,
  );
}

function judgeRedirects(redirects: readonly Redirect[], cx: Context): void {
  for (const redirect of redirects) {
    judgeWord(redirect.op === "document" ? redirect.body : redirect.target, cx);
    judgeRedirect(redirect, cx);
  }
}

/** What a word substitutes is run as well. */
function judgeWord(word: Word, cx: Context): void {
  for (const part of word.parts) {
    if (part.type === "script") judgeScript(part.script, { ...cx, piped: false });
    else if (part.type === "value" && part.evaluates)
      cx.ledger.executes("high", "it evaluates a variable's text as an expression");
  }
}
