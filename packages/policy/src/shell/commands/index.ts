import type { Handler } from "../context.ts";
import { git } from "./git.ts";
import { readers } from "./readers.ts";
import { shells } from "./shells.ts";
import { tools } from "./tools.ts";
import { wrappers } from "./wrappers.ts";
import { writers } from "./writers.ts";

let table: ReadonlyMap<string, Handler> | undefined;

/** The judgement for a command of this name; undefined when it is on no list. */
export function handlerOf(name: string): Handler | undefined {
  table ??= new Map([...tools(), ...readers(), ...writers(), ...wrappers(), ...shells(), ["git", git] as const]);
  return table.get(name);
}
