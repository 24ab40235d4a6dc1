import { type Arg, type Call, type Handler, hasOption, isOption, UNKNOWN_ARG } from "../context.ts";
import { usePath } from "../use.ts";
import { other } from "./other.ts";

/** How a wrapper's own arguments are taken off. */
interface Wrapper {
  /** Short options that take the next word as their value. */
  readonly valued?: string;
  /** Words of its own before the command, such as a duration. */
  readonly own?: number;
  /** Options that make it do something else; then it is judged like any other command. */
  readonly refuse?: readonly [letters: string, ...names: string[]];
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  nohup: {},
  time: { valued: "fo", refuse: ["o", "output"] },
  nice: { valued: "n" },
  ionice: { valued: "cnpPu" },
  setsid: {},
  stdbuf: { valued: "ioe" },
  unbuffer: {},
  timeout: { valued: "sk", own: 1 },
  builtin: {},
  busybox: {},
  toybox: {},
};

/** Commands that run the command they are given. */
export function wrappers(): Map<string, Handler> {
  const table = new Map<string, Handler>();
  for (const [name, spec] of Object.entries(WRAPPERS)) table.set(name, (call) => wrapped(call, spec));
  table.set("env", env);
  table.set("command", (call) => (/^-p*[vV]/.test(call.args[0]?.text ?? "") ? undefined : wrapped(call, {})));
  table.set("exec", (call) => wrapped(call, { valued: "a" }));
  table.set("xargs", xargs);
  table.set("find", find);
  return table;
}

function wrapped(call: Call, spec: Wrapper) {
  if (spec.refuse && hasOption(call.args, ...spec.refuse)) return other(call);
  const rest = strip(call.args, spec.valued ?? "").slice(spec.own ?? 0);
  if (rest.length > 0) call.cx.inner.words(rest, call.cx);
}

/** Drops leading options; a valued short option at the end of its word takes the next one along. */
function strip(args: readonly Arg[], valued: string): readonly Arg[] {
  let i = 0;
  while (i < args.length) {
    const arg = args[i];
    if (!arg || !isOption(arg)) break;
    i++;
    if (arg.text === "--") break;
    if (/^-[A-Za-z]$/.test(arg.text) && valued.includes(arg.text.slice(1))) i++;
  }
  return args.slice(i);
}

function env(call: Call) {
  const { args, cx } = call;
  if (hasOption(args, "S", "split-string"))
    return cx.ledger.executes("destructive", "env splits a text into a command");
  if (hasOption(args, "C", "chdir")) return other(call);
  const rest = strip(args, "u");
  const command = rest.findIndex((arg) => !/^[A-Za-z_]\w*=/.test(arg.text));
  const set = command < 0 ? rest : rest.slice(0, command);
  if (set.some((arg) => !arg.known || !/^[a-z_]|^(LANG|LC_\w+|TZ|CI|NO_COLOR|FORCE_COLOR|NODE_ENV)=/.test(arg.text)))
    cx.ledger.executes("high", "it sets variables of a command");
  if (command < 0) return cx.ledger.executes("high", "it shows the environment");
  cx.inner.words(rest.slice(command), cx);
}

/** Runs its command with words that come from its input. */
function xargs(call: Call) {
  const { args, cx } = call;
  if (hasOption(args, "a", "arg-file")) cx.ledger.raise("high", "it reads its words from a file");
  const rest = strip(args, "IELnPsad");
  if (rest.length === 0) return;
  cx.inner.words([...rest, UNKNOWN_ARG], { ...cx, piped: false });
}

const RUNS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const WRITES = new Set(["-fprint", "-fprint0", "-fprintf", "-fls"]);

function find(call: Call) {
  const { args, cx } = call;
  const roots = startsOf(args);
  for (const arg of roots) usePath(arg, "read", cx);
  args.forEach((arg, i) => {
    if (!arg.known) cx.ledger.raise("high", "a part of its search cannot be told");
    if (arg.text === "-delete") for (const root of roots) usePath(root, "delete", cx);
    if (arg.text === "-files0-from") cx.ledger.executes("high", "it reads its folders from a file");
    if (WRITES.has(arg.text)) usePath(args[i + 1] ?? UNKNOWN_ARG, "overwrite", cx);
    if (!RUNS.has(arg.text)) return;
    const rest = args.slice(i + 1);
    const end = rest.findIndex((one) => one.text === ";" || one.text === "+");
    const [root] = roots;
    const words = rest.slice(0, end < 0 ? rest.length : end);
    if (words.length > 0)
      cx.inner.words(
        words.map((word) => (word.text === "{}" ? (root ?? UNKNOWN_ARG) : word)),
        cx,
      );
  });
}

function startsOf(args: readonly Arg[]): readonly Arg[] {
  const here: Arg = { text: ".", known: true, glob: false, stream: false };
  const from = args.findIndex((arg) => !/^-([HLP]|D|O\d?)$/.test(arg.text));
  if (from < 0) return [here];
  const length = args.slice(from).findIndex((arg) => /^[-(!]/.test(arg.text));
  const roots = args.slice(from, length < 0 ? undefined : from + length);
  return roots.length > 0 ? roots : [here];
}
