import { charClass, isIn } from "../chars.ts";
import { type Rule, WINDOW } from "../rule.ts";
import { runTail } from "../tails.ts";
import { judgeRun } from "./prefixed.ts";

const BETWEEN = charClass(" \t=:\"'\\");
const BODY = charClass("A-Za-z0-9+/");

/** The AWS secret key has no beginning of its own; it is known by the name that it is assigned to. */
export const awsSecretRule: Rule = {
  kind: "aws-secret-key",
  starts: ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey", "aws_secret_key"],
  left: "word",
  judge(s, at, skip, end, final) {
    const stop = Math.min(end, at + WINDOW);
    const undecided = final || end >= at + WINDOW ? "no" : "more";
    let from = at + skip;
    while (from < stop && from < at + skip + 8 && isIn(BETWEEN, s.charCodeAt(from))) from++;
    if (from === stop) return undecided;
    if (from === at + skip) return "no";
    const verdict = judgeRun(s, from, stop, BODY, 40, "mixed");
    if (verdict === "more") return undecided;
    return verdict === "no" ? "no" : { from, to: verdict, tail: runTail(BODY) };
  },
};
