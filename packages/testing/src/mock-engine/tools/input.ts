import { resolve } from "node:path";
import type { JsonObject } from "@computeragent/protocol";
import type { TurnScope } from "../turn-scope.ts";

/** A text of the tool's input. Throws if it is missing. */
export function textOf(input: JsonObject, key: string): string {
  const value = input[key];
  if (typeof value !== "string") throw new Error(`InputValidationError: ${key} must be a string`);
  return value;
}

/** The path in `file_path`, absolute; relative ones count from the workspace. */
export function pathOf(input: JsonObject, turn: TurnScope): string {
  return resolve(turn.context.workspace, textOf(input, "file_path"));
}
