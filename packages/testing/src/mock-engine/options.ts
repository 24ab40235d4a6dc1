import type { EngineContext, Usage } from "@computeragent/protocol";
import { z } from "zod";

/**
 * Ways to break the engine port, for tests of a host:
 * `ignore_abort` reacts to `kill` alone · `never_start` yields nothing · `exit_early` ends in mid-turn without a result ·
 * `throw` fails with an `EngineFailure`, `throw_raw` with a plain error · `late_events` goes on after the turn's and the
 * session's end · `slow_close` takes `closeDelayMs` to close · `odd_text` sends U+2028, NUL and lone surrogates ·
 * `huge_message` sends a message of 1 MB.
 */
export const MISBEHAVIOURS = [
  "ignore_abort",
  "never_start",
  "exit_early",
  "throw",
  "throw_raw",
  "late_events",
  "slow_close",
  "odd_text",
  "huge_message",
] as const;

/** One way to misbehave. */
export type Misbehaviour = (typeof MISBEHAVIOURS)[number];

/** What a caller may put into `options` of a mock session. */
export const MockSessionOptions = z.strictObject({ misbehave: z.enum(MISBEHAVIOURS).optional() });
export type MockSessionOptions = z.infer<typeof MockSessionOptions>;

/** Settings of `createMockEngine`. */
export interface MockEngineOptions {
  /** Default `mock`. */
  readonly name?: string;
  /** For every session that does not choose by itself. */
  readonly misbehave?: Misbehaviour;
  /** Milliseconds that `slow_close` takes. Default 10 000. */
  readonly closeDelayMs?: number;
  /** Makes turns cost money: the price in US dollars. Default: no cost is reported. */
  readonly price?: (usage: Usage) => number;
  /** Further variables of the commands that a session runs, for example the marker of the host. */
  readonly childEnv?: (sessionId: string) => Readonly<Record<string, string>>;
  /** Called with each context as a session starts. */
  readonly onStart?: (context: EngineContext<MockSessionOptions>) => void;
}
