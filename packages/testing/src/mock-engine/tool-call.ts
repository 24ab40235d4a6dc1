import type { Authorization, JsonObject, Risk } from "@computeragent/protocol";
import { sendBlock, toolBlock } from "./blocks.ts";
import type { ToolResult } from "./tools/tool.ts";
import { toolNamed } from "./tools/tools.ts";
import type { TurnScope } from "./turn-scope.ts";

const INTERRUPTED = "[Request interrupted by user for tool use]";

async function ask(turn: TurnScope, callId: string, toolName: string, input: JsonObject, risk?: Risk) {
  const interrupted = new Promise<Authorization>((resolve) => {
    const deny = (): void => resolve({ behavior: "deny", message: INTERRUPTED });
    if (turn.signal.aborted) deny();
    else turn.signal.addEventListener("abort", deny, { once: true });
  });
  const call = { callId, toolName, input, signal: turn.signal, ...(risk ? { risk } : {}) };
  return Promise.race([turn.context.authorize(call), interrupted]);
}

/**
 * One tool call from announcement to result: nothing runs before `authorize` has allowed it. `run` replaces the named tool.
 */
export async function callTool(
  turn: TurnScope,
  toolName: string,
  input: JsonObject,
  options: { readonly risk?: Risk; readonly run?: (input: JsonObject) => ToolResult } = {},
): Promise<void> {
  const callId = turn.ids.call();
  const json = JSON.stringify(input);
  await sendBlock(turn, toolBlock(callId, toolName), json, { type: "tool_use", id: callId, name: toolName, input });
  const answer = await ask(turn, callId, toolName, input, options.risk);
  const result = await settle(turn, toolName, answer, options.run);
  if (answer.behavior === "deny" && !turn.signal.aborted) {
    turn.denials.push({ tool_name: toolName, tool_use_id: callId, tool_input: input });
    if (answer.interrupt) turn.stop("interrupted");
  }
  turn.meter.read(result.text.length);
  const block: JsonObject = { type: "tool_result", tool_use_id: callId, content: result.text };
  if (result.isError) block.is_error = true;
  await turn.emit(turn.payloads.user([block], { tool_use_result: result.detail ?? result.text }));
}

async function settle(
  turn: TurnScope,
  toolName: string,
  answer: Authorization,
  run?: (input: JsonObject) => ToolResult,
): Promise<ToolResult> {
  if (turn.signal.aborted) return { text: INTERRUPTED, isError: true };
  if (answer.behavior === "deny") return { text: answer.message, isError: true };
  if (run) return run(answer.input);
  const tool = toolNamed(toolName);
  if (!tool) return { text: `Error: No such tool available: ${toolName}`, isError: true };
  try {
    return await tool(answer.input, turn);
  } catch (error) {
    if (turn.signal.aborted) return { text: INTERRUPTED, isError: true };
    return { text: `Error: ${error instanceof Error ? error.message : String(error)}`, isError: true };
  }
}
