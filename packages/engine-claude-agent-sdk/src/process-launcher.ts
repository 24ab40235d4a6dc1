import type { Options } from "@anthropic-ai/claude-agent-sdk";
import { type EngineContext, EngineFailure, type NoticeData } from "@computeragent/protocol";
import type { ClaudeCallerOptions } from "./caller-options.ts";
import { claudeDirs, sessionVariables } from "./child-env.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import { startCold } from "./cold-start.ts";
import { Conversation } from "./conversation.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { type PermissionDesk, permissionOptions } from "./permissions.ts";
import { scrub } from "./scrub.ts";
import { loadSdk } from "./sdk.ts";
import { sessionOptions } from "./session-options.ts";
import type { Spare } from "./spare.ts";
import { spareRecipe } from "./spare-recipe.ts";
import type { WarmPool } from "./warm-pool.ts";

/** A started process, unless it was no longer wanted, and what has to be said about the session. */
export interface Launched {
  readonly process?: ClaudeProcess;
  readonly notices: readonly NoticeData[];
}

/** Starts the processes of one session, one after another, each going on with the session's conversation. */
export class ProcessLauncher {
  readonly #context: EngineContext<ClaudeCallerOptions>;
  readonly #engine: ResolvedEngineOptions;
  readonly #desk: PermissionDesk;
  readonly #pool: WarmPool | undefined;
  readonly #secrets: readonly string[];
  #conversation: Conversation;
  #spare: Spare | undefined;
  #launches = 0;
  #warmed = false;

  constructor(
    context: EngineContext<ClaudeCallerOptions>,
    engine: ResolvedEngineOptions,
    desk: PermissionDesk,
    pool: WarmPool | undefined,
  ) {
    this.#context = context;
    this.#engine = engine;
    this.#desk = desk;
    this.#pool = pool;
    this.#secrets = [context.model.access?.token ?? "", ...Object.values(context.envs)];
    this.#conversation = new Conversation(context.resume);
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  /** Reserves a parked process, whose conversation id becomes the session's. Before the first launch. */
  async reserve(): Promise<void> {
    if (!this.#pool) return;
    // What cannot be read now is told by the launch.
    const session = await sessionOptions(this.#context, this.#engine).catch(() => undefined);
    const recipe = session && spareRecipe(this.#context, session.options);
    this.#spare = recipe && this.#pool.take(recipe.key);
    if (this.#spare) this.#conversation = new Conversation(undefined, this.#spare.sessionId);
  }

  /** `wanted` is asked at the last moment before the spawn. Rejects with `EngineFailure`. */
  async launch(wanted: () => boolean): Promise<Launched> {
    try {
      return await this.#launch(wanted);
    } catch (cause) {
      if (cause instanceof EngineFailure) throw cause;
      const reason = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
      const message = `Claude Code cannot be started: ${scrub(reason, this.#secrets)}`;
      throw new EngineFailure({ class: "transient", code: "engine_not_started", message }, cause);
    }
  }

  /** A turn is done: a process for the next session of this kind may be started. */
  async worked(): Promise<void> {
    if (this.#warmed) return;
    this.#warmed = true;
    const session = this.#pool && (await sessionOptions(this.#context, this.#engine).catch(() => undefined));
    const recipe = session && spareRecipe(this.#context, session.options);
    if (recipe) this.#pool?.warm(recipe);
  }

  /** Gives up what was reserved and not used. */
  async release(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    await spare?.discard();
  }

  async #launch(wanted: () => boolean): Promise<Launched> {
    const { sessionId, resume, home } = this.#context;
    const sdk = await loadSdk();
    const { options, notices } = await sessionOptions(this.#context, this.#engine);
    const first = this.#launches++ === 0;
    const warm = await this.#claim(options);
    if (warm) return { process: warm, notices };
    const plan = await this.#conversation.plan(claudeDirs(home).config);
    if (!wanted()) return { notices: [] };
    const lost = resume !== undefined && plan.resume === undefined;
    const all = { ...options, ...plan, ...permissionOptions(this.#desk) };
    const process = startCold(sdk, this.#engine, sessionId, all, this.#secrets);
    return { process, notices: first ? [...notices, ...(lost ? [HISTORY_MISSING] : [])] : [] };
  }

  async #claim(options: Options): Promise<ClaudeProcess | undefined> {
    const spare = this.#spare;
    this.#spare = undefined;
    if (!spare) return undefined;
    const { systemPrompt } = options;
    const append = typeof systemPrompt === "object" && "append" in systemPrompt ? systemPrompt.append : undefined;
    return spare.claim({
      cwd: this.#context.workspace,
      env: { ...sessionVariables(this.#context, this.#context.model.access?.token ?? "") },
      append,
      desk: this.#desk,
      secrets: this.#secrets,
    });
  }
}

const HISTORY_MISSING: NoticeData = {
  level: "warning",
  code: "history_missing",
  message: "The engine had nothing of the earlier conversation; it begins anew.",
};
