import { setImmediate } from "node:timers/promises";
import type {
  EngineContext,
  EngineErrorData,
  EngineEvent,
  EngineInput,
  EngineSession,
  JsonObject,
} from "@computeragent/protocol";
import { EngineFailure } from "@computeragent/protocol";
import { AsyncQueue } from "./async-queue.ts";
import type { ClaudeCallerOptions } from "./caller-options.ts";
import type { ClaudeProcess } from "./claude-process.ts";
import type { ResolvedEngineOptions } from "./engine-options.ts";
import { ENDED_EARLY } from "./exit-error.ts";
import { outcomeOf, type TurnOutcome } from "./outcome.ts";
import { messageEvent, PartialMarker } from "./partials.ts";
import { ProcessLauncher } from "./process-launcher.ts";
import { Turn } from "./turn.ts";
import { toUserMessage } from "./user-message.ts";
import type { WarmPool } from "./warm-pool.ts";

/** An event, or the question whether a turn is over, asked only when the host gets to it. */
type Item = EngineEvent | (() => Promise<EngineEvent | undefined>);

/** Messages that may wait for the host before the CLI's are left unread. */
const MAX_WAITING = 256;
/** Milliseconds that a CLI without further input has to end. */
const FINISH_MS = 10_000;

/** One conversation with Claude. Its process starts with the first input, and again when an input finds none. */
export class ClaudeSession implements EngineSession {
  readonly #context: EngineContext<ClaudeCallerOptions>;
  readonly #engine: ResolvedEngineOptions;
  readonly #launcher: ProcessLauncher;
  readonly #out = new AsyncQueue<Item>(MAX_WAITING);
  readonly #partials = new PartialMarker();
  #turn: Turn | undefined;
  #process: ClaudeProcess | undefined;
  #feeding = false;
  #interruptFirst = false;
  #everStarted = false;
  #inputEnded = false;
  #closing: Promise<void> | undefined;

  constructor(context: EngineContext<ClaudeCallerOptions>, engine: ResolvedEngineOptions, pool?: WarmPool) {
    this.#context = context;
    this.#engine = engine;
    const permissions = { authorize: context.authorize, interrupt: () => void this.interrupt() };
    this.#launcher = new ProcessLauncher(context, engine, permissions, pool);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EngineEvent, void> {
    const { signal } = this.#context;
    const abort = (): void => void this.close().catch(() => {});
    if (signal.aborted || this.#closing) return;
    signal.addEventListener("abort", abort, { once: true });
    try {
      await this.#launcher.reserve();
      // The host has committed the state when it asks for the next event: only then is anything spawned.
      yield { kind: "state", state: this.#launcher.conversation.state };
      this.#feeding = true;
      void this.#feed();
      for await (const item of this.#out) {
        const event = typeof item === "function" ? await item() : item;
        if (event) yield event;
      }
    } finally {
      signal.removeEventListener("abort", abort);
      await this.close();
    }
  }

  async interrupt(): Promise<void> {
    // The input that it is meant for may still be on its way.
    if (!this.#feeding) this.#interruptFirst = true;
    else if (!this.#turn) await setImmediate();
    const turn = this.#turn;
    if (!turn) return;
    turn.forced ??= { reason: "interrupted" };
    // Earlier the CLI would read the interrupt before the message it is meant for.
    await turn.reached;
    if (this.#turn === turn) await this.#process?.interrupt();
  }

  close(): Promise<void> {
    this.#closing ??= this.#end((process) => process.stop());
    return this.#closing;
  }

  kill(): Promise<void> {
    const gone = this.#end((process) => process.kill());
    this.#closing ??= gone;
    return gone;
  }

  async #end(how: (process: ClaudeProcess) => Promise<void>): Promise<void> {
    try {
      if (this.#process) await how(this.#process);
      await this.#launcher.release();
      await this.#engine.supervisor.killSession(this.#context.sessionId);
    } finally {
      this.#turn?.over();
      this.#out.end();
    }
  }

  async #feed(): Promise<void> {
    try {
      for await (const input of this.#context.input) {
        if (this.#closing) return;
        await this.#accept(input);
      }
      this.#inputEnded = true;
      this.#finishIfIdle();
    } catch (error) {
      this.#out.fail(error);
    }
  }

  async #accept(input: EngineInput): Promise<void> {
    const turn = this.#turnOf(input);
    const message = toUserMessage(input, this.#context.profile.skills?.names ?? []);
    if (turn.forced && input.delivery === "steer") {
      const text = "A message was dropped: the turn it was meant for had been interrupted.";
      this.#out.push({ kind: "notice", notice: { level: "warning", code: "steer_dropped", message: text } });
      return;
    }
    turn.sent(message.uuid);
    const process = turn.forced ? undefined : (this.#process ?? (await this.#launch(turn)));
    if (turn.forced) this.#settle(turn, turn.forced);
    else process?.send(message);
  }

  /** A steered message belongs to the running turn, or, if that is over already, makes one of its own until the next one begins. */
  #turnOf(input: EngineInput): Turn {
    if (this.#turn) {
      if (input.delivery === "queue") this.#turn.turnId = input.turnId;
      return this.#turn;
    }
    this.#turn = new Turn(input.turnId);
    if (this.#interruptFirst) this.#turn.forced = { reason: "interrupted" };
    this.#interruptFirst = false;
    return this.#turn;
  }

  async #launch(turn: Turn): Promise<ClaudeProcess | undefined> {
    try {
      const { process, notices } = await this.#launcher.launch(() => this.#closing === undefined);
      for (const notice of notices) this.#out.push({ kind: "notice", notice });
      if (!process) return undefined;
      if (this.#closing) {
        await process.stop();
        return undefined;
      }
      this.#process = process;
      this.#pump(process).catch((error: unknown) => this.#out.fail(error));
      return process;
    } catch (error) {
      if (!this.#everStarted || !(error instanceof EngineFailure)) throw error;
      this.#settle(turn, { reason: "error", error: error.error });
      return undefined;
    }
  }

  async #pump(process: ClaudeProcess): Promise<void> {
    const messages = process.messages();
    let noted = false;
    for (;;) {
      const next = await messages.next();
      if (!noted && process.noise !== undefined) {
        noted = true;
        const message = `Claude Code wrote what is no message; it was left out: ${process.noise}`;
        this.#out.push({ kind: "notice", notice: { level: "warning", code: "engine_output_ignored", message } });
      }
      if (next.done) {
        this.#process = undefined;
        this.#gone(next.value);
        return;
      }
      this.#onMessage(process, next.value);
      await this.#out.room();
    }
  }

  #onMessage(process: ClaudeProcess, message: JsonObject): void {
    const turn = this.#turn;
    const maybeOver = turn?.observe(message) ?? false;
    if (message.type === "system" && message.subtype === "init") this.#everStarted = true;
    if (turn && message.type === "result") turn.outcome = outcomeOf(message, turn.hints.hints);
    this.#out.push(messageEvent(this.#partials, message, message.type === "result" && turn?.settled === true));
    if (this.#launcher.conversation.observe(message)) {
      this.#out.push({ kind: "state", state: this.#launcher.conversation.state });
    }
    if (!turn) return;
    if (turn.exceeds(this.#context.maxTurns, message) && !turn.forced) {
      turn.forced = { reason: "max_turns" };
      void process.interrupt();
    }
    if (maybeOver && turn.settled && this.#everStarted) {
      this.#settle(turn, turn.forced ?? turn.outcome ?? { reason: "interrupted" });
    }
  }

  /** Asks at the last moment whether the turn is over: the host may have steered another message into it. */
  #settle(turn: Turn, outcome: TurnOutcome): void {
    if (outcome.reason === "error" || turn.forced) turn.over();
    turn.settling = true;
    this.#out.push(async () => {
      await setImmediate();
      if (this.#turn !== turn || !turn.settled) return undefined;
      this.#turn = undefined;
      turn.over();
      // Not earlier: a process for the next session would take this one's first answer its time.
      void this.#launcher.worked();
      this.#finishIfIdle();
      const { reason, error } = outcome;
      return { kind: "turn_end", turnId: turn.turnId, reason, ...(error ? { error } : {}) };
    });
  }

  /** The process ended; the session stays, unless it never worked. */
  #gone(failure: EngineErrorData | undefined): void {
    const turn = this.#turn;
    if (this.#closing) {
      this.#out.end();
    } else if (!this.#everStarted) {
      this.#out.fail(new EngineFailure(turn?.outcome?.error ?? failure ?? ENDED_EARLY));
    } else if (turn && !(turn.settling && turn.settled)) {
      this.#settle(turn, turn.forced ?? { reason: "error", error: failure ?? ENDED_EARLY });
    } else this.#finishIfIdle();
  }

  #finishIfIdle(): void {
    if (!this.#inputEnded || this.#turn) return;
    const process = this.#process;
    if (process) {
      process.send(null);
      setTimeout(() => void process.stop().catch(() => {}), FINISH_MS).unref();
    } else this.#out.end();
  }
}
