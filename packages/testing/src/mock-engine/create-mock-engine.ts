import type { EngineDriver } from "@computeragent/protocol";
import { type MockEngineOptions, MockSessionOptions } from "./options.ts";
import { MockSession } from "./session.ts";

/**
 * A deterministic engine without a model: it runs the directives of the user's message (`!say`, `!bash`, `!write`, …) for
 * real in the workspace, asks `authorize` before every tool, and remembers the conversation in the session's home.
 * For a fork the host copies the parent's home first.
 */
export function createMockEngine(options: MockEngineOptions = {}): EngineDriver<MockSessionOptions> {
  return {
    name: options.name ?? "mock",
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
    optionsSchema: MockSessionOptions,
    needsModel: false,
    version: async () => null,
    startSession: (context) => {
      options.onStart?.(context);
      return new MockSession(context, options);
    },
  };
}
