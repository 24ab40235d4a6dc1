import { readFile, writeFile } from "node:fs/promises";
import { pathOf, textOf } from "./input.ts";
import type { Tool } from "./tool.ts";

/** Replaces a text that must stand in the file exactly once, or everywhere with `replace_all`. */
export const edit: Tool = async (input, turn) => {
  const path = pathOf(input, turn);
  const parts = (await readFile(path, "utf8")).split(textOf(input, "old_string"));
  const found = parts.length - 1;
  if (found === 0) throw new Error("String to replace not found in file.");
  if (found > 1 && input.replace_all !== true) throw new Error(`Found ${found} matches of the string to replace.`);
  await writeFile(path, parts.join(textOf(input, "new_string")));
  return { text: `File edited: ${path}` };
};
