import type { Use } from "../ledger.ts";
import { type Arg, type Context, isOption, toArg } from "./context.ts";
import type { Redirect } from "./syntax.ts";

const HARMLESS_DEVICE = /^\/dev\/(null|zero|random|urandom|full|tty|stdin|stdout|stderr|fd\/[0-9]+)$/;
const NETWORK_DEVICE = /^\/dev\/(tcp|udp)\//;
const SYSTEM = /^\/(dev|proc|sys)\//;

/** Notes that a command uses a path. */
export function usePath(arg: Arg, use: Use, cx: Context): void {
  const { text } = arg;
  if (arg.stream) return;
  if (!arg.known) {
    cx.ledger.unknown(use);
    return;
  }
  if (HARMLESS_DEVICE.test(text)) return;
  if (NETWORK_DEVICE.test(text)) {
    cx.ledger.executes("high", "it uses the network");
    return;
  }
  if (use !== "read" && SYSTEM.test(text.replace(/\/+/g, "/")))
    cx.ledger.raise("destructive", "it writes to a device or the system");
  cx.ledger.use(text, cx.cwds, use);
}

/** Notes the paths that may hide in an option: after `=`, or glued to a letter. */
export function useOptionValue(arg: Arg, use: Use, cx: Context): void {
  if (!isOption(arg)) return;
  const equals = arg.text.indexOf("=");
  const value = equals >= 0 ? arg.text.slice(equals + 1) : (/[/~].*$/.exec(arg.text)?.[0] ?? "");
  if (!arg.known || /[/~]|^\.\.$/.test(value)) usePath({ ...arg, text: value }, use, cx);
}

/** Notes what a redirection reads or writes. */
export function judgeRedirect(redirect: Redirect, cx: Context): void {
  if (redirect.op === "document" || redirect.op === "duplicate") return;
  const arg = toArg(redirect.target);
  const use = { read: "read", write: "overwrite", append: "write", both: "write" } as const;
  usePath(arg.glob ? { ...arg, known: false } : arg, use[redirect.op], cx);
}
