import type { Vars } from "../script/program.ts";

type Value = string | readonly string[];
type Filter = (value: Value, argument: string) => Value;

const shown = (value: Value): string => (typeof value === "string" ? value : value.join(", "));

const FILTERS: Readonly<Record<string, Filter>> = {
  trim: (value) => shown(value).trim(),
  lower: (value) => shown(value).toLowerCase(),
  upper: (value) => shown(value).toUpperCase(),
  json: (value) => JSON.stringify(value),
  count: (value) => String(typeof value === "string" ? (value === "" ? 0 : 1) : value.length),
  join: (value, argument) => (typeof value === "string" ? value : value.join(argument)),
  default: (value, argument) => (shown(value) === "" ? argument : value),
};

/** Names of the filters. */
export const FILTER_NAMES = Object.keys(FILTERS);

/** A text with `{{name | filter}}` places, ready to fill in. */
export interface Template {
  readonly source: string;
  /** The values it uses. */
  readonly names: readonly string[];
  render(vars: Vars): string;
}

const PLACE = /\{\{([^{}]*)\}\}/g;
const EXPRESSION = /^\s*([A-Za-z_]\w*)\s*((?:\|[^|]*)*)$/;
const FILTER = /^\s*([a-z]+)\s*(?::\s*(["'])(.*)\2\s*)?$/;

interface Expression {
  readonly name: string;
  readonly filters: readonly { readonly filter: Filter; readonly argument: string }[];
}

function parseExpression(source: string): Expression {
  const match = EXPRESSION.exec(source);
  const name = match?.[1];
  if (name === undefined) throw new Error(`{{${source}}} must be a name, then filters: {{name | ${FILTER_NAMES[0]}}}`);
  const parts = (match?.[2] ?? "").split("|").slice(1);
  const filters = parts.map((part) => {
    const [, filterName = "", , argument = ""] = FILTER.exec(part) ?? [];
    const filter = Object.hasOwn(FILTERS, filterName) ? FILTERS[filterName] : undefined;
    if (!filter)
      throw new Error(`{{${source}}}: unknown filter "${part.trim()}"; there are ${FILTER_NAMES.join(", ")}`);
    return { filter, argument };
  });
  return { name, filters };
}

/** Reads a template. Throws an `Error` that says what is wrong. */
export function parseTemplate(source: string): Template {
  const parts: (string | Expression)[] = [];
  let from = 0;
  for (const match of source.matchAll(PLACE)) {
    parts.push(source.slice(from, match.index), parseExpression(match[1] ?? ""));
    from = match.index + match[0].length;
  }
  parts.push(source.slice(from));
  const expressions = parts.filter((part) => typeof part !== "string");
  const fill = ({ name, filters }: Expression, vars: Vars): string =>
    shown(
      filters.reduce(
        (value, { filter, argument }) => filter(value, argument),
        Object.hasOwn(vars, name) ? (vars[name] ?? "") : "",
      ),
    );
  return {
    source,
    names: expressions.map((expression) => expression.name),
    render: (vars) => parts.map((part) => (typeof part === "string" ? part : fill(part, vars))).join(""),
  };
}
