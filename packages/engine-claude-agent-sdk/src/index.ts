export type { ClaudeCallerOptions } from "./caller-options.ts";
export { createClaudeAgentEngine } from "./engine.ts";
export type { ClaudeEngineOptions, EngineLogger } from "./engine-options.ts";
