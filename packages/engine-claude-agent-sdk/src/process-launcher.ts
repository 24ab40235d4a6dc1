import { type EngineContext, EngineFailure, type NoticeData } from "@computeragent/protocol";
import type { ClaudeCallerOptions } from "./caller-options.ts";
import { claudeDirs } from "./child-env.ts";
import { ClaudeProcess } from "./claude-process.ts";
import { Conversation } from "./conversation.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { type PermissionDesk, permissionOptions } from "./permissions.ts";
import { scrub } from "./scrub.ts";
import { loadSdk } from "./sdk.ts";
import { sessionOptions } from "./session-options.ts";

/** A started process, unless it was no longer wanted, and what has to be said about the session. */
export interface Launched {
  readonly process?: ClaudeProcess;
  readonly notices: readonly NoticeData[];
}

/** Starts the processes of one session, one after another, each going on with the session's conversation. */
export class ProcessLauncher {
  readonly conversation: Conversation;
  readonly #context: EngineContext<ClaudeCallerOptions>;
  readonly #engine: ResolvedEngineOptions;
  readonly #desk: PermissionDesk;
  #launches = 0;

  constructor(context: EngineContext<ClaudeCallerOptions>, engine: ResolvedEngineOptions, desk: PermissionDesk) {
    this.#context = context;
    this.#engine = engine;
    this.#desk = desk;
    this.conversation = new Conversation(context.resume);
  }

  /** `wanted` is asked at the last moment before the spawn. Rejects with `EngineFailure`. */
  async launch(wanted: () => boolean): Promise<Launched> {
    const context = this.#context;
    const sdk = await loadSdk();
    const { options, notices } = await sessionOptions(context, this.#engine);
    const plan = await this.conversation.plan(claudeDirs(context.home).config);
    if (!wanted()) return { notices: [] };
    const first = this.#launches++ === 0;
    const secrets = [context.model.access?.token ?? "", ...Object.values(context.envs)];
    const lost = context.resume !== undefined && plan.resume === undefined;
    try {
      const process = new ClaudeProcess({
        sdk,
        supervisor: this.#engine.supervisor,
        sessionId: context.sessionId,
        options: { ...options, ...plan, ...permissionOptions(this.#desk) },
        startTimeoutMs: this.#engine.startTimeoutMs,
        secrets,
      });
      return { process, notices: first ? [...notices, ...(lost ? [HISTORY_MISSING] : [])] : [] };
    } catch (cause) {
      const message = scrub(cause instanceof Error ? cause.message : String(cause), secrets);
      throw new EngineFailure({ class: "permanent", code: "engine_not_started", message }, cause);
    }
  }
}

const HISTORY_MISSING: NoticeData = {
  level: "warning",
  code: "history_missing",
  message: "The engine had nothing of the earlier conversation; it begins anew.",
};
