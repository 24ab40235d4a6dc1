import { isDeepStrictEqual } from "node:util";
import type { CanUseTool, HookCallbackMatcher, HookInput, Options } from "@anthropic-ai/claude-agent-sdk";
import type { Authorization, EngineContext, JsonObject, ToolCall } from "@computeragent/protocol";

/** Seconds a hook may take, about 24 days: how long a question stays open is the host's decision. */
const HOOK_TIMEOUT_S = 2_000_000;

/** What the permission callbacks need of their session. */
export interface PermissionDesk {
  readonly authorize: EngineContext["authorize"];
  /** A denial that also ends the turn. */
  readonly interrupt: () => void;
}

/** Callbacks of a process whose session is not known yet. Until then everything is denied. */
export class LateDesk implements PermissionDesk {
  #desk: PermissionDesk | undefined;

  bind(desk: PermissionDesk): void {
    this.#desk = desk;
  }

  readonly authorize = async (call: ToolCall): Promise<Authorization> =>
    (await this.#desk?.authorize(call)) ?? { behavior: "deny", message: "No session has taken this process." };

  readonly interrupt = (): void => this.#desk?.interrupt();
}

/** Every way in which the CLI asks before it does something; all lead to `authorize`. A hook that fails blocks. */
export function permissionOptions(desk: PermissionDesk): Pick<Required<Options>, "hooks" | "canUseTool"> {
  const matcher = (hook: HookCallbackMatcher["hooks"][number]): HookCallbackMatcher[] => [
    { hooks: [hook], timeout: HOOK_TIMEOUT_S, onFailure: "block" },
  ];
  return {
    hooks: {
      PreToolUse: matcher((input, _id, { signal }) => beforeTool(desk, input, signal)),
      PreSkillShellCommand: matcher((input, _id, { signal }) => beforeSkillCommand(desk, input, signal)),
    },
    canUseTool: (toolName, input, asked) => canUseTool(desk, toolName, input, asked),
  };
}

async function beforeTool(desk: PermissionDesk, input: HookInput, signal: AbortSignal) {
  if (input.hook_event_name !== "PreToolUse") return {};
  const asked = asObject(input.tool_input);
  const answer = await ask(desk, {
    callId: input.tool_use_id,
    toolName: input.tool_name,
    input: asked,
    ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
    signal,
  });
  const hookEventName = "PreToolUse" as const;
  if (answer.behavior === "deny") return { hookSpecificOutput: { hookEventName, ...denied(answer) } };
  const updated = isDeepStrictEqual(answer.input, asked) ? {} : { updatedInput: answer.input };
  return { hookSpecificOutput: { hookEventName, permissionDecision: "allow" as const, ...updated } };
}

/** A command inside a skill's text, run when the skill is loaded. The CLI lets it be allowed or refused, not changed. */
async function beforeSkillCommand(desk: PermissionDesk, input: HookInput, signal: AbortSignal) {
  if (input.hook_event_name !== "PreSkillShellCommand") return {};
  const asked: JsonObject = { command: input.tool_input.command };
  const answer = await ask(desk, {
    callId: input.tool_use_id,
    toolName: input.tool_name,
    input: asked,
    title: `The skill ${input.command_name} runs a command while it is loaded.`,
    ...(input.agent_id === undefined ? {} : { agentId: input.agent_id }),
    signal,
  });
  const hookEventName = "PreSkillShellCommand" as const;
  if (answer.behavior === "deny") return { hookSpecificOutput: { hookEventName, ...denied(answer) } };
  if (isDeepStrictEqual(answer.input, asked)) return {};
  const message = "A command of a skill cannot be changed, only allowed or denied.";
  return { hookSpecificOutput: { hookEventName, ...denied({ behavior: "deny", message }) } };
}

/** Asked for what the CLI wants a person for, also after the hook: questions, plans, its own safety checks. */
async function canUseTool(
  desk: PermissionDesk,
  toolName: string,
  input: Record<string, unknown>,
  asked: Parameters<CanUseTool>[2],
) {
  const answer = await ask(desk, {
    callId: asked.toolUseID,
    toolName,
    input: asObject(input),
    ...(asked.title === undefined ? {} : { title: asked.title }),
    ...(asked.agentID === undefined ? {} : { agentId: asked.agentID }),
    signal: asked.signal,
  });
  if (answer.behavior === "deny") return { behavior: "deny" as const, message: answer.message };
  return { behavior: "allow" as const, updatedInput: answer.input };
}

async function ask(desk: PermissionDesk, call: ToolCall): Promise<Authorization> {
  const answer = await desk.authorize(call);
  if (answer.behavior === "deny" && answer.interrupt) desk.interrupt();
  return answer;
}

function denied(answer: Extract<Authorization, { behavior: "deny" }>) {
  return { permissionDecision: "deny" as const, permissionDecisionReason: answer.message };
}

/** Tool inputs are JSON objects: they come from a parsed line of the CLI. */
function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
