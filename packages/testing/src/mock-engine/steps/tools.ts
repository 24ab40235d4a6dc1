import { resolve } from "node:path";
import type { JsonObject, Risk } from "@computeragent/protocol";
import { callTool } from "../tool-call.ts";
import type { TurnScope } from "../turn-scope.ts";

const inWorkspace = (turn: TurnScope, path: string): string => resolve(turn.context.workspace, path);

/** `!bash` */
export const bash = ({ command }: { command: string }, turn: TurnScope) => callTool(turn, "Bash", { command });

/** `!read` */
export const read = ({ path }: { path: string }, turn: TurnScope) =>
  callTool(turn, "Read", { file_path: inWorkspace(turn, path) });

/** `!write` */
export const write = ({ path, text }: { path: string; text: string }, turn: TurnScope) =>
  callTool(turn, "Write", { file_path: inWorkspace(turn, path), content: text });

/** `!edit` */
export const edit = ({ path, oldText, newText }: { path: string; oldText: string; newText: string }, turn: TurnScope) =>
  callTool(turn, "Edit", { file_path: inWorkspace(turn, path), old_string: oldText, new_string: newText });

/** `!tool`: runs the tool if the engine has it. */
export const tool = ({ name, input }: { name: string; input: JsonObject }, turn: TurnScope) =>
  callTool(turn, name, input);

/** `!ask`: asks for permission, runs nothing, and tells in the result with which input it would have run. */
export const ask = ({ name, input, risk }: { name: string; input: JsonObject; risk?: Risk }, turn: TurnScope) =>
  callTool(turn, name, input, {
    ...(risk ? { risk } : {}),
    run: (allowed) => ({ text: JSON.stringify({ decision: "allow", tool: name, input: allowed }) }),
  });
