import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Options, SDKUserMessage, SpareProcess } from "@anthropic-ai/claude-agent-sdk";
import { AsyncQueue } from "./async-queue.ts";
import { claudeDirs, sessionVariables } from "./child-env.ts";
import { ChildSlot } from "./child-slot.ts";
import { ClaudeProcess } from "./claude-process.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { LateDesk, type PermissionDesk, permissionOptions } from "./permissions.ts";
import type { Sdk } from "./sdk.ts";

/** Milliseconds that a parked process has to take its session. */
const CLAIM_MS = 5_000;
/** Milliseconds of each polite step of its stop; it has nothing to lose. */
const STOP_STEP_MS = 200;

/** What a spare is told of the session that takes it. */
export interface SpareClaim {
  readonly cwd: string;
  /** Folders and token of the session. */
  readonly env: Record<string, string>;
  /** The session's part of the system prompt. */
  readonly append: string | undefined;
  readonly desk: PermissionDesk;
  readonly secrets: readonly string[];
}

/** A CLI that was started before its session is known. It has a conversation id of its own. */
export class Spare {
  readonly sessionId: string = randomUUID();
  readonly #engine: ResolvedEngineOptions;
  readonly #slot: ChildSlot;
  readonly #desk = new LateDesk();
  #dir: string | undefined;
  #parked: SpareProcess | undefined;
  #discarded = false;

  constructor(engine: ResolvedEngineOptions) {
    this.#engine = engine;
    this.#slot = new ChildSlot(engine.supervisor, `spare-${this.sessionId}`, engine.maxMessageBytes);
  }

  /** Resolves when its process has ended. */
  get ended(): Promise<unknown> {
    return this.#slot.ended;
  }

  /** Starts and parks it. `env`: what all sessions of its kind share. Rejects, with nothing left behind, when that fails. */
  async park(sdk: Sdk, options: Options, env: Record<string, string>, root: string): Promise<void> {
    try {
      this.#dir = await mkdtemp(join(root, "spare-"));
      const place = { home: this.#dir, tmp: join(this.#dir, "t") };
      const cwd = join(this.#dir, "parked");
      for (const dir of [cwd, place.tmp, ...Object.values(claudeDirs(place.home))]) await mkdir(dir, { mode: 0o700 });
      if (this.#discarded) throw new Error("the spare is no longer wanted");
      this.#parked = await sdk.prewarm({
        options: {
          ...options,
          ...permissionOptions(this.#desk),
          cwd,
          env: { ...env, ...sessionVariables(place, "none") },
          sessionId: this.sessionId,
          spawnClaudeCodeProcess: this.#slot.spawn,
        },
        initializeTimeoutMs: this.#engine.startTimeoutMs,
      });
      this.#parked.claimed.catch(() => {});
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Makes it the session's process. Undefined, with nothing left behind, when it cannot be: then a process must be started. */
  async claim(session: SpareClaim): Promise<ClaudeProcess | undefined> {
    const parked = this.#parked;
    const prompt = new AsyncQueue<SDKUserMessage>();
    this.#desk.bind(session.desk);
    let timer: NodeJS.Timeout | undefined;
    try {
      if (!parked) throw new Error("the spare is not parked");
      const query = parked.claim({
        prompt,
        options: {
          cwd: session.cwd,
          permissionMode: "default",
          settings: { env: session.env },
          ...(session.append === undefined ? {} : { appendSystemPrompt: session.append }),
        },
      });
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("the claim was not answered in time")), CLAIM_MS);
      });
      await Promise.race([parked.claimed, late]);
      const { secrets } = session;
      const { startTimeoutMs } = this.#engine;
      const gone = (): void => void this.#clear();
      return new ClaudeProcess({ query, prompt, slot: this.#slot, secrets, startTimeoutMs, gone });
    } catch (error) {
      this.#engine.logger?.warn({ err: error }, "a spare process could not take its session");
      await this.discard();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends it. Resolves when nothing of it is left. */
  async discard(): Promise<void> {
    this.#discarded = true;
    await this.#slot.stop(undefined, STOP_STEP_MS);
    this.#parked?.close();
    await this.#clear();
  }

  async #clear(): Promise<void> {
    if (this.#dir === undefined) return;
    await rm(this.#dir, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
      this.#engine.logger?.warn({ err: error }, "the folder of a spare process could not be removed");
    });
  }
}
