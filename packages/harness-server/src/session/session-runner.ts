import {
  type EngineContext,
  type EngineErrorData,
  type EngineEvent,
  type EngineInput,
  type EngineState,
  type JsonObject,
  newId,
  type SessionEndedData,
  type SessionEndReason,
  type TurnEndReason,
  type Usage,
  type UserMessage,
} from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import { EngineRun, type EngineRunLimits, toEngineError } from "./engine-run.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import type { SessionSpec } from "./session-spec.ts";
import { emitTurnEnd, emitTurnStart, type Turn } from "./turn.ts";
import type { QueuedTurn, TurnQueue } from "./turn-queue.ts";
import { exceededLimit, type UsageMeter } from "./usage-meter.ts";

/** What a runner works with. */
export interface RunnerDeps {
  readonly spec: SessionSpec;
  readonly log: EventLog;
  readonly permissions: PermissionDesk;
  readonly meter: UsageMeter;
  readonly queue: TurnQueue;
  readonly limits: EngineRunLimits;
  /** True when a broker meters the session and enforces its token and money limits. */
  readonly brokered: boolean;
  engineContext(resume: EngineState | undefined): Omit<EngineContext, "input" | "signal">;
  /** Called when the end event is committed. */
  ended(reason: SessionEndReason): Promise<void>;
  touched(): void;
}

/** Drives the engine of one session: turns one after another, interrupts, and one single way to the end. */
export class SessionRunner {
  turns = 0;
  lastEventAt = Date.now();
  inputEnded = false;
  readonly #deps: RunnerDeps;
  #turn: Turn | undefined;
  #run: EngineRun | undefined;
  #state: EngineState | undefined;
  #final: JsonObject | undefined;
  #ending: Promise<void> | undefined;
  #wallUsedMs = 0;
  #wallTimer: NodeJS.Timeout | undefined;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#state = deps.spec.resume;
  }

  get turnId(): string | null {
    return this.#turn?.turnId ?? null;
  }

  get turn(): Turn | undefined {
    return this.#turn;
  }

  get queue(): TurnQueue {
    return this.#deps.queue;
  }

  get ending(): boolean {
    return this.#ending !== undefined;
  }

  get engineState(): EngineState | undefined {
    return this.#state;
  }

  /** Starts the next queued turn if the engine is free. */
  dispatch(): void {
    if (this.#turn || this.#ending) return;
    const next = this.#deps.queue.next();
    if (next) this.#begin(next);
    else if (this.inputEnded) void this.end("complete");
  }

  /** Hands a message to the running turn. Call only while a turn runs. */
  steer(message: UserMessage): QueuedTurn {
    const queued: QueuedTurn = { messageIds: [newId("msg")], messages: [message] };
    if (!this.#turn || !this.#run) return this.#deps.queue.add([message]);
    queued.turn = this.#turn;
    this.#turn.messageIds.push(...queued.messageIds);
    this.#run.push(inputOf(this.#turn.turnId, queued, "steer"));
    return queued;
  }

  /** Ends the running turn; resolves when it has ended, by force after the grace time. */
  async interrupt(reason: string): Promise<void> {
    const turn = this.#turn;
    if (!turn || this.#ending) return;
    await this.#deps.permissions.cancelAll(reason, false);
    const run = this.#run;
    if (run && !turn.interrupting) {
      turn.interrupting = true;
      run.interrupt().catch(() => {});
    }
    const forced = setTimeout(() => void this.#forceTurnEnd(turn), this.#deps.limits.stopGraceMs);
    await turn.done;
    clearTimeout(forced);
  }

  /** The only way to end a session; idempotent. Resolves when the end event is committed and the engine is gone. */
  end(reason: SessionEndReason, error?: SessionEndedData["error"]): Promise<void> {
    this.#ending ??= Promise.resolve().then(() => this.#finish(reason, error));
    return this.#ending;
  }

  #begin(queued: QueuedTurn): void {
    const { spec, log } = this.#deps;
    const turn = emitTurnStart(log, newId("turn"), queued);
    this.#turn = turn;
    queued.turn = turn;
    this.turns++;
    this.lastEventAt = Date.now();
    this.#deps.touched();
    if (spec.limits.maxWallMs !== undefined) {
      const left = spec.limits.maxWallMs - this.#wallUsedMs;
      this.#wallTimer = setTimeout(() => void this.end("budget_exceeded"), Math.max(0, left));
    }
    try {
      this.#run ??= this.#start();
      this.#run.push(inputOf(turn.turnId, queued, "queue"));
    } catch (error) {
      this.#onGone(toEngineError(error), false);
    }
  }

  #start(): EngineRun {
    const { spec, limits } = this.#deps;
    return new EngineRun(
      spec.engine,
      this.#deps.engineContext(this.#state),
      { event: (event) => this.#onEvent(event), gone: (failure, started) => this.#onGone(failure, started) },
      limits,
    );
  }

  #onEvent(event: EngineEvent): Promise<void> | undefined {
    const { log } = this.#deps;
    this.lastEventAt = Date.now();
    switch (event.kind) {
      case "message":
        log.message(event.payload, event.partial);
        if (event.final) this.#final = event.payload;
        return log.ready();
      case "turn_end":
        if (event.turnId === this.#turn?.turnId) this.#endTurn(event.reason, event.error, event.usage);
        return undefined;
      case "notice":
        log.emit("ca_notice", event.notice);
        return undefined;
      case "state":
        this.#state = event.state;
        return log.committed();
    }
  }

  #onGone(failure: EngineErrorData | undefined, started: boolean): void {
    this.#run = undefined;
    if (this.#ending) return;
    const error = failure ?? { class: "transient" as const, message: "the engine ended without a result" };
    if (this.#turn && started) this.#endTurn("error", error, undefined);
    else if (this.#turn) this.#endTurn("error", error, undefined, false);
    if (!started || !this.#resumable()) {
      void this.end("error", { code: "ENGINE_UNAVAILABLE", class: error.class, message: error.message });
    }
  }

  #endTurn(reason: TurnEndReason, error: EngineErrorData | undefined, usage: Usage | undefined, goOn = true): void {
    const turn = this.#turn;
    if (!turn) return;
    clearTimeout(this.#wallTimer);
    this.#wallUsedMs += Date.now() - turn.startedAt;
    const { log, meter, spec, brokered } = this.#deps;
    log.flushPartials();
    emitTurnEnd(log, turn, { reason, error, usage: meter.endTurn(usage) }, meter);
    this.#turn = undefined;
    turn.finish(reason);
    this.#deps.touched();
    if (!brokered && exceededLimit(meter.session, spec.limits)) void this.end("budget_exceeded");
    else if (goOn) this.dispatch();
  }

  async #forceTurnEnd(turn: Turn): Promise<void> {
    if (this.#turn !== turn || this.#ending) return;
    const run = this.#run;
    this.#run = undefined;
    await run?.kill();
    if (this.#turn === turn) this.#endTurn("interrupted", undefined, undefined, this.#resumable());
    if (!this.#resumable()) {
      await this.end("error", {
        code: "ENGINE_UNAVAILABLE",
        class: "permanent",
        message: "the engine ignored an interrupt",
      });
    }
  }

  #resumable(): boolean {
    return this.#deps.spec.engine.capabilities.includes("sessions") && this.#state !== undefined;
  }

  async #finish(reason: SessionEndReason, error: SessionEndedData["error"]): Promise<void> {
    const { log, permissions } = this.#deps;
    clearTimeout(this.#wallTimer);
    await permissions.cancelAll(`the session ended: ${reason}`, true);
    const run = this.#run;
    this.#run = undefined;
    await run?.stop();
    if (this.#turn) {
      const failed =
        reason === "error" && error ? { class: error.class, message: error.message ?? error.code } : undefined;
      this.#endTurn(failed ? "error" : "interrupted", failed, undefined);
    }
    log.emit("ca_session_ended", {
      reason,
      ...(error ? { error } : {}),
      ...(this.#final ? { final: this.#final } : {}),
    });
    await log.seal();
    await this.#deps.ended(reason);
  }
}

function inputOf(turnId: string, queued: QueuedTurn, delivery: EngineInput["delivery"]): EngineInput {
  return { turnId, messageIds: queued.messageIds, messages: queued.messages, delivery };
}
