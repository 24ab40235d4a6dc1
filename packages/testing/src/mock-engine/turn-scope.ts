import type { EngineContext, EngineEvent, JsonObject, TurnEndedData } from "@computeragent/protocol";
import type { Ids } from "./ids.ts";
import type { Meter } from "./meter.ts";
import type { Payloads } from "./payloads.ts";

/** What a session's turns share. */
export interface SessionScope {
  readonly context: EngineContext<unknown>;
  readonly ids: Ids;
  readonly payloads: Payloads;
  readonly childEnv: Readonly<Record<string, string>>;
  /** True once the session is over: nothing more is told or remembered. */
  readonly stopped: () => boolean;
  /** Await what is returned, if anything, before the next one. */
  readonly emit: (event: EngineEvent) => Promise<void> | undefined;
}

/** What one running turn offers to its steps. */
export interface TurnScope extends SessionScope {
  /** Aborted when the turn is interrupted or the session ends. */
  readonly signal: AbortSignal;
  readonly meter: Meter;
  /** Texts said so far: the last one is the result. */
  readonly said: string[];
  readonly denials: JsonObject[];
  /** Ends the turn after this step. */
  stop(reason: TurnEndedData["reason"], error?: TurnEndedData["error"]): void;
}
