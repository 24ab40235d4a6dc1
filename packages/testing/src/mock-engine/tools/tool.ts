import type { JsonObject } from "@computeragent/protocol";
import type { TurnScope } from "../turn-scope.ts";

/** What a tool gives back. `detail` is the structured form for clients. */
export interface ToolResult {
  readonly text: string;
  readonly isError?: boolean;
  readonly detail?: JsonObject;
}

/** A tool runs for real. Throws when it cannot; the message is for the agent. */
export type Tool = (input: JsonObject, turn: TurnScope) => Promise<ToolResult>;
