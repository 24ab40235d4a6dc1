import type { Rule } from "../rule.ts";
import { awsSecretRule } from "./assigned.ts";
import { connectionRule } from "./connection.ts";
import { basicRule, bearerRule } from "./header.ts";
import { jwtRule } from "./jwt.ts";
import { markerRule } from "./marker.ts";
import { pemRule } from "./pem.ts";
import { prefixed } from "./prefixed.ts";
import { VENDOR_SHAPES } from "./vendors.ts";

/** Every built-in rule, in order of precedence; `ownKind` is the further kind whose markers pass untouched. */
export function builtInRules(ownKind: string): Rule[] {
  const shapes = [
    ...VENDOR_SHAPES.map(prefixed),
    jwtRule,
    pemRule,
    connectionRule,
    bearerRule,
    basicRule,
    awsSecretRule,
  ];
  return [markerRule(new Set([ownKind, ...shapes.map((rule) => rule.kind)])), ...shapes];
}
