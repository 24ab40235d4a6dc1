import type { EngineDriver } from "@computeragent/protocol";
import { ClaudeCallerOptions } from "./caller-options.ts";
import { ClaudeSession } from "./claude-session.ts";
import type { ClaudeEngineOptions } from "./engine-options.ts";
import { sdkVersion } from "./sdk.ts";
import { WarmPool } from "./warm-pool.ts";

const DEFAULTS = { maxRetries: 5, startTimeoutMs: 30_000, maxMessageBytes: 32 * 1024 * 1024 } as const;

/** The engine `claude-agent-sdk`: real Claude Code processes, driven by the Claude Agent SDK. Nothing starts before the first input of a session. */
export function createClaudeAgentEngine(options: ClaudeEngineOptions): EngineDriver<ClaudeCallerOptions> {
  const engine = { ...DEFAULTS, ...options };
  const pool = engine.warmPool ? new WarmPool(engine) : undefined;
  let version: Promise<string | null> | undefined;
  return {
    name: "claude-agent-sdk",
    capabilities: [
      "streaming_input",
      "partials",
      "hitl",
      "modify",
      "interrupt",
      "steer",
      "fork",
      "sessions",
      "recovery",
      "budget",
    ],
    optionsSchema: ClaudeCallerOptions,
    needsModel: true,
    version() {
      version ??= sdkVersion();
      return version;
    },
    startSession: (context) => new ClaudeSession(context, engine, pool),
    dispose: async () => pool?.dispose(),
  };
}
