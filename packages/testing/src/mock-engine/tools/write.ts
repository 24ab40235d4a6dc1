import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { pathOf, textOf } from "./input.ts";
import type { Tool } from "./tool.ts";

/** Writes a file and the folders above it. */
export const write: Tool = async (input, turn) => {
  const path = pathOf(input, turn);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, textOf(input, "content"));
  return { text: `File written: ${path}` };
};
