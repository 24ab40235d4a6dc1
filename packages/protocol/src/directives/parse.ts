import type { Risk } from "../wire/vocabulary.ts";
import { bad, jsonObject, numbers, ok, type Parsed, splitPath, unescapeText } from "./arguments.ts";
import type { DirectiveStep } from "./step.ts";

const HOUR_MS = 3_600_000;
/** Upper bounds of `!stream`, `!sleep` and `!usage`. */
export const DIRECTIVE_LIMITS = {
  streamCount: 1_000_000,
  streamDeltaBytes: 65_536,
  streamBytes: 256 * 1024 * 1024,
  sleepMs: HOUR_MS,
  tokens: 1_000_000_000,
} as const;

const RISKS: readonly string[] = ["low", "medium", "high", "destructive"] satisfies readonly Risk[];
const MAX_SHOWN = 200;

type Reader = (args: string) => Parsed<DirectiveStep>;

function text(args: string, make: (text: string) => DirectiveStep): Parsed<DirectiveStep> {
  return args.trim() === "" ? bad("needs TEXT") : ok(make(unescapeText(args)));
}

function readPath(args: string): Parsed<DirectiveStep> {
  const trimmed = args.trim();
  if (!/^["']/.test(trimmed)) return trimmed === "" ? bad("needs PATH") : ok({ kind: "read", path: trimmed });
  const split = splitPath(trimmed);
  if (!split.ok) return split;
  if (split.value.rest.trim() !== "") return bad("takes only PATH");
  return ok({ kind: "read", path: split.value.path });
}

function edit(args: string): Parsed<DirectiveStep> {
  const split = splitPath(args);
  if (!split.ok) return split;
  const { path, rest } = split.value;
  const sides = /^(.+?) =>(?: (.*))?$/s.exec(rest);
  const oldText = sides?.[1];
  if (oldText === undefined) return bad("needs PATH OLD => NEW");
  return ok({ kind: "edit", path, oldText: unescapeText(oldText), newText: unescapeText(sides?.[2] ?? "") });
}

function tool(args: string): Parsed<{ name: string; rest: string }> {
  const match = /^[ \t]*(\S+)(?:[ \t]+(.*))?$/s.exec(args);
  const name = match?.[1];
  return name === undefined ? bad("needs a tool name") : ok({ name, rest: match?.[2] ?? "" });
}

function ask(args: string): Parsed<DirectiveStep> {
  const head = tool(args);
  if (!head.ok) return head;
  const word = /(?:^|[ \t]|(?<=\}))([a-z]+)[ \t]*$/.exec(head.value.rest);
  const risk = word?.[1];
  const known = risk !== undefined && RISKS.includes(risk);
  const json = jsonObject(known ? head.value.rest.slice(0, word?.index) : head.value.rest);
  if (!json.ok) return json;
  return ok({ kind: "ask", name: head.value.name, input: json.value, ...(known ? { risk: risk as Risk } : {}) });
}

function stream(args: string): Parsed<DirectiveStep> {
  const read = numbers(args, [
    { name: "COUNT", min: 1, max: DIRECTIVE_LIMITS.streamCount },
    { name: "BYTES", min: 1, max: DIRECTIVE_LIMITS.streamDeltaBytes },
    { name: "DELAY_MS", min: 0, max: HOUR_MS, fallback: 0 },
  ]);
  if (!read.ok) return read;
  const [count = 1, bytes = 1, delayMs = 0] = read.value;
  if (count * bytes > DIRECTIVE_LIMITS.streamBytes) return bad("COUNT times BYTES is more than 256 MiB");
  if (count * delayMs > HOUR_MS) return bad("COUNT times DELAY_MS is more than an hour");
  return ok({ kind: "stream", count, bytes, delayMs });
}

const READERS: Readonly<Record<string, Reader>> = {
  say: (args) => text(args, (value) => ({ kind: "say", text: value })),
  think: (args) => text(args, (value) => ({ kind: "think", text: value })),
  bash: (args) => (args.trim() === "" ? bad("needs a command") : ok({ kind: "bash", command: args })),
  read: readPath,
  write: (args) => {
    const split = splitPath(args);
    return split.ok ? ok({ kind: "write", path: split.value.path, text: unescapeText(split.value.rest) }) : split;
  },
  edit,
  tool: (args) => {
    const head = tool(args);
    if (!head.ok) return head;
    const json = jsonObject(head.value.rest);
    return json.ok ? ok({ kind: "tool", name: head.value.name, input: json.value }) : json;
  },
  ask,
  stream,
  sleep: (args) => {
    const read = numbers(args, [{ name: "MS", min: 0, max: DIRECTIVE_LIMITS.sleepMs }]);
    return read.ok ? ok({ kind: "sleep", ms: read.value[0] ?? 0 }) : read;
  },
  error: (args) => {
    const read = numbers(args, [{ name: "STATUS", min: 400, max: 599 }]);
    return read.ok ? ok({ kind: "error", status: read.value[0] ?? 500 }) : read;
  },
  usage: (args) => {
    const read = numbers(args, [
      { name: "INPUT", min: 0, max: DIRECTIVE_LIMITS.tokens },
      { name: "OUTPUT", min: 0, max: DIRECTIVE_LIMITS.tokens },
    ]);
    return read.ok ? ok({ kind: "usage", input: read.value[0] ?? 0, output: read.value[1] ?? 0 }) : read;
  },
};

function parseLine(line: string): DirectiveStep {
  const end = line.search(/[ \t]/);
  const name = end === -1 ? line.slice(1) : line.slice(1, end);
  const args = end === -1 ? "" : line.slice(end + 1);
  const shown = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
  const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (!reader) return { kind: "invalid", line: shown, message: `unknown directive !${name.slice(0, MAX_SHOWN)}` };
  const step = reader(args);
  return step.ok ? step.value : { kind: "invalid", line: shown, message: `!${name}: ${step.message}` };
}

/**
 * Reads a directive script: every line that begins with `!` is one step, other lines are ignored, and `!say` steps that
 * follow each other become one (joined with a line feed). `null` when no line begins with `!`. Never throws.
 */
export function parseDirectives(text: string): readonly DirectiveStep[] | null {
  const steps: DirectiveStep[] = [];
  for (const raw of text.split("\n")) {
    if (!raw.startsWith("!")) continue;
    const step = parseLine(raw.endsWith("\r") ? raw.slice(0, -1) : raw);
    const last = steps.at(-1);
    if (step.kind === "say" && last?.kind === "say") last.text += `\n${step.text}`;
    else steps.push(step);
  }
  return steps.length === 0 ? null : steps;
}
