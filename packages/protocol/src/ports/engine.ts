import type { z } from "zod";
import type { EngineErrorData, NoticeData, TurnEndReason } from "../events/life.ts";
import type { JsonObject } from "../json.ts";
import type { RouteInfo } from "../wire/health.ts";
import type { UserMessage } from "../wire/message.ts";
import type { Access, Capability, PermissionMode, Risk, Usage } from "../wire/vocabulary.ts";
import type { EngineProfile } from "./identity.ts";

/** One input for the engine: the messages of a new turn, or a message steered into the running one. */
export interface EngineInput {
  readonly turnId: string;
  readonly messageIds: readonly string[];
  /** The messages of the turn in order; usually one. */
  readonly messages: readonly UserMessage[];
  readonly delivery: "queue" | "steer";
}

/** A tool call as the engine announces it. `callId` is the engine's own id of the call, unique within the session. */
export interface ToolCall {
  readonly callId: string;
  readonly toolName: string;
  readonly input: JsonObject;
  readonly title?: string;
  readonly agentId?: string;
  /** True when the tool declares itself read-only (MCP annotations). */
  readonly readOnlyHint?: boolean;
  /** Overrides the classifier upwards only. */
  readonly risk?: Risk;
  /** Aborted by the engine when it no longer wants the answer. */
  readonly signal?: AbortSignal;
}

/** The framework's answer. `input` is the input to run with: the original one, or the human's. */
export type Authorization =
  | { readonly behavior: "allow"; readonly input: JsonObject }
  | { readonly behavior: "deny"; readonly message: string; readonly interrupt?: boolean };

/** Text inside a message that arrives in pieces, for masking across pieces. */
export interface PartialText {
  /** Same channel = same growing text, e.g. `main:0:text`. */
  readonly channel: string;
  /** Path of the piece inside the payload; absent when the message only ends the channel. */
  readonly path?: readonly (string | number)[];
  /** True: the text ends here; what is held back must go out before this message. */
  readonly end?: boolean;
}

/** What an engine yields. */
export type EngineEvent =
  /** Goes to the wire as `sdk_message`, its shape unchanged. `final` marks the turn's result message. */
  | { readonly kind: "message"; readonly payload: JsonObject; readonly partial?: PartialText; readonly final?: boolean }
  /** The engine is idle again. Exactly one per input of delivery `queue`. `usage` only if the broker did not see the calls. */
  | {
      readonly kind: "turn_end";
      readonly turnId: string;
      readonly reason: TurnEndReason;
      readonly error?: EngineErrorData;
      readonly usage?: Usage;
    }
  | { readonly kind: "notice"; readonly notice: NoticeData }
  /** Committed by the host; handed back as `resume` later. */
  | { readonly kind: "state"; readonly state: EngineState };

/** What is needed to go on with the engine's own session. */
export interface EngineState {
  readonly engineSessionId: string;
}

/** Everything an engine gets for one session. Options were validated by the engine's own schema. */
export interface EngineContext<TOptions = unknown> {
  readonly sessionId: string;
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** Absolute path of a private folder that lives as long as the session is kept. */
  readonly home: string;
  /** Absolute path of a short private folder for sockets and temporary files. */
  readonly tmp: string;
  /** The caller's variables for the agent, already filtered. Never the host's environment. */
  readonly envs: Readonly<Record<string, string>>;
  readonly model: {
    readonly name?: string;
    readonly fallbacks: readonly string[];
    /** Absent for engines that need no model. */
    readonly access?: { readonly route: RouteInfo; readonly baseUrl: string; readonly token: string };
  };
  readonly profile: EngineProfile;
  readonly options: TOptions;
  readonly access: Access;
  readonly permissionMode: PermissionMode;
  /** Model steps per turn. */
  readonly maxTurns?: number;
  readonly includePartials: boolean;
  /** One turn at a time (plus steers); ends when the session's input ends. */
  readonly input: AsyncIterable<EngineInput>;
  /** Must be called for every tool call before it runs; idempotent per `callId`. Never rejects. */
  readonly authorize: (call: ToolCall) => Promise<Authorization>;
  readonly signal: AbortSignal;
  /** Continue the engine's own session, or a copy of it. */
  readonly resume?: EngineState & { readonly fork: boolean };
}

/** A running session of an engine. Iterated exactly once, by the host. The iteration ends when the engine is gone. */
export interface EngineSession extends AsyncIterable<EngineEvent> {
  /** Ends the running turn; the turn's `turn_end` follows with reason `interrupted`. Resolves when the engine has taken it. */
  interrupt(): Promise<void>;
  /** Stops the engine and everything it started; resolves when all of it is gone. Idempotent, also after the end. */
  close(): Promise<void>;
  /** The last resort of the watchdog: kills at once. Idempotent. */
  kill(): Promise<void>;
}

/** An agent loop. Starting must not block: failures come out of the iteration as thrown `EngineFailure`. */
export interface EngineDriver<TOptions = unknown> {
  readonly name: string;
  readonly capabilities: readonly Capability[];
  /** What a caller may set in `options`, besides the aliases that every engine accepts. */
  readonly optionsSchema: z.ZodType<TOptions>;
  /** True when the engine calls a model and so needs a `model.access`. */
  readonly needsModel: boolean;
  /** Version of what is behind it, or null; cheap, cached. */
  version(): Promise<string | null>;
  startSession(context: EngineContext<TOptions>): EngineSession;
  /** Releases what is shared between sessions (warm pools). */
  dispose?(): Promise<void>;
}

/** Why an engine could not start or broke. */
export class EngineFailure extends Error {
  readonly error: EngineErrorData;
  constructor(error: EngineErrorData, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.name = "EngineFailure";
    this.error = error;
  }
}
