import type { Vars } from "../script/program.ts";
import { parseTemplate } from "./template.ts";

/** A comparison, ready to test. */
export interface Condition {
  readonly names: readonly string[];
  holds(vars: Vars): boolean;
}

type Operator = (left: string, right: string) => boolean;

function order(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left !== "" && right !== "" && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  return left < right ? -1 : left > right ? 1 : 0;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  "==": (left, right) => left === right,
  "!=": (left, right) => left !== right,
  "<=": (left, right) => order(left, right) <= 0,
  ">=": (left, right) => order(left, right) >= 0,
  "<": (left, right) => order(left, right) < 0,
  ">": (left, right) => order(left, right) > 0,
  contains: (left, right) => left.includes(right),
};

const COMPARISON = /^((?:\{\{[^{}]*\}\}|[^{}])*?)\s+(==|!=|<=|>=|<|>|contains)(?:\s+(.*))?$/s;

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

/**
 * Reads `LEFT OPERATOR RIGHT` (`==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`; numbers are compared as numbers), or a single
 * operand that holds when it is not empty, or `not` before one. Operands are templates. Throws an `Error`.
 */
export function parseCondition(source: string): Condition {
  const text = source.trim();
  const comparison = COMPARISON.exec(text);
  const operator = OPERATORS[comparison?.[2] ?? ""];
  if (comparison && operator) {
    const left = parseTemplate(unquoted((comparison[1] ?? "").trim()));
    const right = parseTemplate(unquoted((comparison[3] ?? "").trim()));
    return {
      names: [...left.names, ...right.names],
      holds: (vars) => operator(left.render(vars).trim(), right.render(vars).trim()),
    };
  }
  const negated = text.startsWith("not ");
  const operand = parseTemplate(negated ? text.slice(4).trim() : text);
  if (operand.names.length === 0) throw new Error(`"${source}" compares no value: write {{name}}`);
  return { names: operand.names, holds: (vars) => (operand.render(vars).trim() !== "") !== negated };
}
