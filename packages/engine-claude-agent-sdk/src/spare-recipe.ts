import type { Options } from "@anthropic-ai/claude-agent-sdk";
import type { EngineContext } from "@computeragent/protocol";
import { sessionVariables } from "./child-env.ts";

/** What a process has to be started with to serve any session of one kind. */
export interface SpareRecipe {
  /** Equal for sessions that one process could serve alike. */
  readonly key: string;
  readonly options: Options;
  readonly env: Record<string, string>;
}

/** The kind of a session, or undefined if it must have a process of its own: it resumes one, or brings variables or skills. */
export function spareRecipe(context: EngineContext, options: Options): SpareRecipe | undefined {
  if (context.resume || context.profile.skills || Object.keys(context.envs).length > 0) return undefined;
  const { cwd: _cwd, env = {}, systemPrompt: _prompt, ...fixed } = options;
  const own = new Set(Object.keys(sessionVariables(context, "")));
  const shared: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (!own.has(name) && value !== undefined) shared[name] = value;
  return {
    key: JSON.stringify([fixed, shared]),
    options: { ...fixed, systemPrompt: { type: "preset", preset: "claude_code" } },
    env: shared,
  };
}
