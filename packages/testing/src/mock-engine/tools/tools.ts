import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import type { Tool } from "./tool.ts";
import { write } from "./write.ts";

const TOOLS: Readonly<Record<string, Tool>> = { Bash: bash, Read: read, Write: write, Edit: edit };

/** Names of the tools that the mock engine has. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** The tool of that name, if there is one. */
export function toolNamed(name: string): Tool | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}
