import { charClass, isIn, runEnd } from "../chars.ts";
import { type Rule, type Verdict, WINDOW } from "../rule.ts";

const USER = charClass("A-Za-z0-9._~%!$&()*+,;=-");
const PASSWORD = charClass("A-Za-z0-9._~%!$&()*+,;=:|^-");
const PLACEHOLDER_AFTER_DOLLAR = charClass("A-Za-z_(");
const HEX_ANY = charClass("0-9A-Fa-f");

/** `scheme://user:password@host`: the password alone is masked. Templates such as `${PASSWORD}` and `%s` stay. */
export const connectionRule: Rule = {
  kind: "connection-string",
  starts: ["://"],
  left: "scheme",
  judge(s, at, skip, end, final) {
    const stop = Math.min(end, at + WINDOW);
    const undecided = final || end >= at + WINDOW ? "no" : "more";
    let i = at + skip;
    i = runEnd(USER, s, i, stop);
    if (i === stop) return undecided;
    if (s[i] !== ":") return "no";
    const from = ++i;
    i = runEnd(PASSWORD, s, i, stop);
    if (i === stop) return undecided;
    if (s[i] !== "@" || i === from || isPlaceholder(s, from, i)) return "no";
    return afterAt(s, i + 1, end, final, from);
  },
};

/** `name:tag@sha256:…` is an image digest, not a password. */
function afterAt(s: string, at: number, end: number, final: boolean, from: number): Verdict {
  const digest = "sha256:";
  const known = Math.min(digest.length, end - at);
  const agrees = digest.startsWith(s.slice(at, at + known));
  if (agrees && known === digest.length) return "no";
  if (agrees && !final) return "more";
  return { from, to: at - 1 };
}

function isPlaceholder(s: string, from: number, to: number): boolean {
  const first = s[from];
  if (first === "*") return true;
  if (first === "$") return isIn(PLACEHOLDER_AFTER_DOLLAR, s.charCodeAt(from + 1)) && to > from + 1;
  return first === "%" && !(isIn(HEX_ANY, s.charCodeAt(from + 1)) && isIn(HEX_ANY, s.charCodeAt(from + 2)));
}
