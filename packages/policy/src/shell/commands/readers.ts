import { type Arg, type Call, type Handler, hasOption, isOption, operands } from "../context.ts";
import { useOptionValue, usePath } from "../use.ts";
import { other } from "./other.ts";

/** A command that only reads and prints. */
interface Reader {
  /** How many leading operands are no paths; `all` when none is one. */
  readonly skip?: number | "all";
  /** Options with which the first operand is a path too. */
  readonly unless?: readonly [letters: string, ...names: string[]];
  /** Options with which it does more than read. */
  readonly refuse?: readonly [letters: string, ...names: string[]];
  /** More operands than this make it write. */
  readonly most?: number;
}

const grep: Reader = { skip: 1, unless: ["ef", "regexp", "file"] };
const plain: Reader = {};
const words: Reader = { skip: "all" };

const READERS: Readonly<Record<string, Reader>> = {
  tree: { refuse: ["oR", "output"] },
  sort: { refuse: ["oT", "output", "compress-program", "temporary-directory"] },
  uniq: { most: 1 },
  xxd: { most: 1, refuse: ["r", "revert"] },
  file: { refuse: ["Cm", "compile", "magic-file"] },
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  rg: { skip: 1, unless: ["ef", "regexp", "file", "files"], refuse: ["", "pre", "hostname-bin"] },
  fd: { skip: 1, refuse: ["xX", "exec", "exec-batch"] },
  jq: { skip: 1, unless: ["fL", "from-file"] },
  yq: { skip: 1, refuse: ["is", "inplace", "in-place", "split-exp"] },
  date: { skip: "all", refuse: ["sf", "set", "file"] },
  hostname: { skip: "all", most: 0, refuse: ["bF", "boot", "file"] },
  wait: { skip: "all", refuse: ["p"] },
  printf: { skip: "all", refuse: ["v"] },
  tail: plain,
};

const PLAIN =
  "ls cat head wc nl stat du df realpath readlink cut paste join comm diff cmp column fold expand unexpand fmt rev tac md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum od hexdump strings base64 base32 zcat dir vdir";
const WORDS =
  "pwd echo true false : test [ [[ whoami id groups logname uname arch uptime nproc free lscpu which type basename dirname seq tr expr sleep ps tty locale cal exit return break continue shift jobs fi done } for";

/** The commands of the harmless list. */
export function readers(): Map<string, Handler> {
  const table = new Map<string, Handler>();
  for (const name of PLAIN.split(" ")) table.set(name, reader(plain));
  for (const name of WORDS.split(" ")) table.set(name, reader(words));
  for (const [name, spec] of Object.entries(READERS)) table.set(name, reader(spec));
  table.set("set", setHandler);
  return table;
}

function reader(spec: Reader): Handler {
  return (call) => {
    const { args, cx } = call;
    if (spec.refuse && hasOption(args, ...spec.refuse)) return other(call);
    if (EVALUATING.has(call.name) && args.some(holdsCommand))
      return cx.ledger.executes("destructive", "it evaluates text as a command");
    if (TESTING.has(call.name) && args.some(isArithmetic) && args.some((arg) => !arg.known))
      cx.ledger.executes("high", "it evaluates a variable's text as an expression");
    const all = operands(args);
    if (spec.most !== undefined && all.length > spec.most) return other(call);
    if (spec.skip === "all") return;
    const skip = spec.unless && hasOption(args, ...spec.unless) ? 0 : (spec.skip ?? 0);
    for (const arg of all.slice(skip)) usePath(arg, "read", cx);
    for (const arg of args) if (isOption(arg)) useOptionValue(arg, "read", cx);
  };
}

const TESTING = new Set(["test", "[", "[["]);
/** Tests evaluate subscripts, and with them the commands in them; a loop's words may be evaluated in its body. */
const EVALUATING = new Set([...TESTING, "for"]);

/** An operator of a test whose operands are expressions, or names with subscripts. */
function isArithmetic({ text }: Arg): boolean {
  return /^-(eq|ne|lt|le|gt|ge|v|R)$/.test(text);
}

/** Whether an argument holds the text of a command substitution. */
export function holdsCommand(arg: Arg): boolean {
  return /\$\(|`/.test(arg.text);
}

/** `set -e` and the like; anything else may change how commands are found. */
function setHandler(call: Call) {
  const known = call.args.every(
    (arg) => arg.known && /^([-+][abefhmnuvxCE]+o?|[-+]o|pipefail|errexit|nounset|xtrace)$/.test(arg.text),
  );
  if (!known) other(call);
}
