import { advance, type Tables } from "./engine.ts";
import { maskLeaves } from "./json.ts";
import { OWN_KIND, ownValueRule } from "./own-values.ts";
import { marker, type Rule } from "./rule.ts";
import { builtInRules } from "./rules/index.ts";
import { createStream, type StreamMasker } from "./stream.ts";
import { buildTable, type Table } from "./table.ts";

/** What a masker knows beside the built-in shapes. */
export interface MaskerOptions {
  /** The session's own values; those of at least 8 characters (without surrounding blanks) count. */
  readonly secrets?: Iterable<string>;
}

/** One secret in a text: UTF-16 offsets, `end` exclusive. */
export interface Finding {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** Replaces secrets by `[masked:KIND]`. */
export interface Masker {
  /** Masks a whole text; idempotent, and the very same string when there is nothing to mask. */
  text(input: string): string;
  /**
   * Masks every string leaf of a JSON value; the very same reference when there is nothing to mask. Leaves equal to
   * `known` are not looked at again: a piece that a stream of this masker has just called `plain`.
   */
  json<T>(value: T, known?: string): T;
  /** Masks text that arrives in pieces. */
  stream(): StreamMasker;
  /** Finds without rewriting, for callers that must block instead. */
  find(input: string): readonly Finding[];
}

let builtIn: { readonly rules: readonly Rule[]; readonly table: Table } | undefined;

/** Makes a masker; cheap enough for one per session. */
export function createMasker(options: MaskerOptions = {}): Masker {
  const tables = makeTables(options.secrets ?? []);

  const find = (input: string): Finding[] => {
    const found: Finding[] = [];
    let kind = "";
    let start = 0;
    advance(tables, input, 0, true, undefined, {
      keep: () => {},
      open: (its, from) => {
        kind = its;
        start = from;
      },
      close: (end) => {
        found.push({ kind, start, end });
      },
    });
    return found;
  };

  const text = (input: string): string => {
    if (tables.all.next(input, 0, input.length) < 0) return input;
    const found = find(input);
    if (found.length === 0) return input;
    let out = "";
    let at = 0;
    for (const { kind, start, end } of found) {
      out += input.slice(at, start) + marker(kind);
      at = end;
    }
    return out + input.slice(at);
  };

  return { text, json: (value, known) => maskLeaves(value, text, known), stream: () => createStream(tables), find };
}

function makeTables(secrets: Iterable<string>): Tables {
  if (builtIn === undefined) {
    const rules = builtInRules(OWN_KIND);
    builtIn = { rules, table: buildTable(rules) };
  }
  const shapes = builtIn.table;
  const own = ownValueRule(secrets);
  if (own === undefined) return { all: shapes, shapes };
  return { all: buildTable([own, ...builtIn.rules]), shapes, own: buildTable([own]) };
}
