import type { JsonObject } from "@computeragent/protocol";
import type { TurnScope } from "../turn-scope.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** What a tool gives back. `detail` is the structured form for clients. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  readonly detail?: JsonObject;
}

/** A tool runs for real. Throws when it cannot; the message is for the agent. */
export type Tool = (input: JsonObject, turn: TurnScope) => Promise<ToolResult>;

const TOOLS: Readonly<Record<string, Tool>> = { Bash: bash, Read: read, Write: write, Edit: edit };

/** Names of the tools that the mock engine has. */
export const TOOL_NAMES: readonly string[] = Object.keys(TOOLS);

/** The tool of that name, if there is one. */
export function toolNamed(name: string): Tool | undefined {
  return Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
}
