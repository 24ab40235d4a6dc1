import { BASE64URL, charClass, runEnd } from "../chars.ts";
import { type Rule, WINDOW } from "../rule.ts";
import { runTail } from "../tails.ts";

const DOT = charClass(".");
/** base64 of `{"alg":`, `{"typ":"`, `{"kid":`, `{"enc":`, `{"cty":`, `{"x5t`, `{"jku":`, `{"jwk":`, `{"nonce`, `{"zip":`. */
const HEADERS =
  "eyJhbGciOi eyJ0eXAiOi eyJraWQiOi eyJlbmMiOi eyJjdHkiOi eyJ4NXQi eyJqa3UiOi eyJqd2siOi eyJub25jZSI eyJ6aXAiOi".split(
    " ",
  );
/** A JOSE header this long without a dot is taken for a token: some carry certificates. */
const LONG_HEADER = 120;

/** JSON Web Tokens, signed or encrypted: a JOSE header, a dot and a second part. */
export const jwtRule: Rule = {
  kind: "jwt",
  starts: ["eyJ"],
  left: "word",
  judge(s, at, _skip, end, final) {
    const stop = Math.min(end, at + WINDOW);
    const undecided = final || end >= at + WINDOW ? "no" : "more";
    const known = HEADERS.some((header) => s.startsWith(header, at));
    const dot = runEnd(BASE64URL, s, at, known ? Math.min(stop, at + LONG_HEADER) : stop);
    if (dot - at === LONG_HEADER && known) return { from: at, to: dot, tail: runTail(BASE64URL, DOT) };
    if (dot === stop) return undecided;
    if (s[dot] !== "." || dot - at < 16) return "no";
    const need = known ? 16 : 8;
    const second = runEnd(BASE64URL, s, dot + 1, Math.min(stop, dot + 1 + need));
    const nested = second - dot > 8 && s.startsWith("eyJ", dot + 1);
    if (nested || (known && second - dot > need)) return { from: at, to: second, tail: runTail(BASE64URL, DOT) };
    return second === stop ? undecided : "no";
  },
};
