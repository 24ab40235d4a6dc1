import {
  type EngineContext,
  type EngineErrorData,
  type EngineEvent,
  type EngineState,
  type JsonObject,
  newId,
  type SessionEndedData,
  type SessionEndReason,
  type UserMessage,
  WireError,
} from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import { tickTime } from "../log/tick-time.ts";
import type { Logger } from "../logger.ts";
import { EngineRun, type EngineRunHooks, type EngineRunLimits, toEngineError } from "./engine-run.ts";
import { limitReached } from "./limit-reached.ts";
import type { PermissionDesk } from "./permission-desk.ts";
import type { SessionSpec } from "./session-spec.ts";
import { emitTurnEnd, emitTurnStart, type QueuedTurn, type Turn, type TurnEnd } from "./turn.ts";
import { inputOf, type TurnQueue } from "./turn-queue.ts";
import { exceededLimit, type UsageMeter } from "./usage-meter.ts";
import type { WallClock } from "./wall-clock.ts";

/** What a runner works with. */
export interface RunnerDeps {
  readonly spec: SessionSpec;
  readonly log: EventLog;
  readonly permissions: PermissionDesk;
  readonly meter: UsageMeter;
  readonly queue: TurnQueue;
  readonly clock: WallClock;
  readonly limits: EngineRunLimits;
  readonly logger: Logger;
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
  /** True once an engine of this session has said something: from then on there is a conversation to lose. */
  #spoken = false;
  #final: JsonObject | undefined;
  #ending: Promise<void> | undefined;
  #holds = 0;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    this.#state = deps.spec.resume;
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
    if (this.#turn || this.#ending || this.#holds > 0) return;
    const next = this.#deps.queue.next();
    if (next) this.#begin(next);
    else if (this.inputEnded) void this.end("complete");
  }

  /** Lets no further turn begin until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    return () => {
      this.#holds--;
      this.dispatch();
    };
  }

  /** Hands a message to the running turn; where that takes none any more, it waits for the next. Throws LIMIT_REACHED. */
  steer(message: UserMessage): QueuedTurn {
    const { queue } = this.#deps;
    const turn = this.#turn;
    const queued: QueuedTurn = { messageIds: [newId("msg")], messages: [message] };
    if (!turn || turn.interrupting) return queue.add([message]);
    if (turn.messageIds.length > queue.max) throw new WireError("LIMIT_REACHED", "this turn has got too many messages");
    if (!this.#run?.push(inputOf(turn.turnId, queued, "steer"))) return queue.add([message]);
    queued.turn = turn;
    turn.messageIds.push(...queued.messageIds);
    return queued;
  }

  /** Ends the running turn; resolves when its end is recorded. After the grace time it is ended by force. */
  async interrupt(reason: string): Promise<void> {
    const turn = this.#turn;
    if (!turn || this.#ending) return;
    if (!turn.interrupting) {
      turn.interrupting = true;
      this.#deps.permissions.refuse(reason, false);
      this.#run?.interrupt();
      const forced = setTimeout(() => void this.#forceTurnEnd(turn), this.#deps.limits.stopGraceMs);
      void turn.done.then(() => clearTimeout(forced));
    }
    await turn.done;
    await this.#deps.log.committed();
  }

  /** The only way to end a session; idempotent, never rejects. Resolves when the end event is committed and the engine is gone. */
  end(reason: SessionEndReason, error?: SessionEndedData["error"]): Promise<void> {
    this.#ending ??= Promise.resolve()
      .then(() => this.#finish(reason, error))
      .catch((failure: unknown) => {
        this.#deps.logger.error({ err: failure, sessionId: this.#deps.spec.id }, "a session did not end cleanly");
      });
    return this.#ending;
  }

  #begin(queued: QueuedTurn): void {
    const { log, permissions, clock, touched } = this.#deps;
    const turn = emitTurnStart(log, queued);
    this.#turn = turn;
    queued.turn = turn;
    this.turns++;
    this.lastEventAt = Date.now();
    touched();
    permissions.admit();
    clock.set({ turn: true });
    try {
      this.#run ??= this.#start();
      this.#run.push(inputOf(turn.turnId, queued, "queue"));
    } catch (error) {
      this.#onGone(toEngineError(error), false);
    }
  }

  #start(): EngineRun {
    const { spec, limits, log } = this.#deps;
    const hooks: EngineRunHooks = {
      event: (event) => this.#onEvent(event),
      late: () => {
        log.dropped++;
      },
      gone: (failure, started) => this.#onGone(failure, started),
    };
    return new EngineRun(spec.engine, this.#deps.engineContext(this.#state), hooks, limits);
  }

  #onEvent(event: EngineEvent): Promise<unknown> | undefined {
    const { log } = this.#deps;
    this.lastEventAt = tickTime();
    switch (event.kind) {
      case "message":
        this.#spoken = true;
        if (event.final && this.#turn) this.#final = event.payload;
        return log.message(event.payload, event.partial);
      case "turn_end":
        if (event.turnId === this.#turn?.turnId) this.#endTurn(event);
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
    const goesOn = started && this.#resumable();
    if (this.#turn?.interrupting) this.#endTurn({ reason: "interrupted" }, goesOn);
    else if (this.#turn) this.#endTurn({ reason: "error", error }, goesOn);
    else if (goesOn) {
      const message = `the engine ended between turns (${error.message}); the next message starts it again`;
      this.#deps.log.emit("ca_notice", { level: "warning", code: "engine.ended", message });
    }
    if (!goesOn) void this.end("error", unavailable(error.class, error.message));
  }

  #endTurn(end: TurnEnd, goOn = true): void {
    const turn = this.#turn;
    if (!turn) return;
    const { log, meter, spec, permissions, clock, brokered, touched } = this.#deps;
    clock.set({ turn: false });
    permissions.refuse("the turn is over", false);
    log.flushPartials();
    emitTurnEnd(log, turn, end, meter);
    this.#turn = undefined;
    turn.finish();
    touched();
    const limit = brokered ? undefined : exceededLimit(meter.session, spec.limits);
    if (limit) limitReached(log, this, limit, `the session has used up its ${limit}`);
    else if (goOn) this.dispatch();
  }

  async #forceTurnEnd(turn: Turn): Promise<void> {
    if (this.#turn !== turn || this.#ending) return;
    const run = this.#run;
    this.#run = undefined;
    await run?.kill();
    const goesOn = this.#resumable();
    if (this.#turn === turn) this.#endTurn({ reason: "interrupted" }, goesOn);
    if (!goesOn) await this.end("error", unavailable("permanent", "the engine ignored an interrupt"));
  }

  /** True when another engine can go on where this one is: it can resume, or there is nothing to resume. */
  #resumable(): boolean {
    return !this.#spoken || (this.#state !== undefined && this.#deps.spec.engine.capabilities.includes("sessions"));
  }

  async #finish(reason: SessionEndReason, error: SessionEndedData["error"]): Promise<void> {
    const { log, permissions, clock } = this.#deps;
    clock.set({ turn: false });
    permissions.refuse(`the session ended: ${reason}`, true);
    const run = this.#run;
    this.#run = undefined;
    await run?.stop();
    if (error) this.#endTurn({ reason: "error", error: { class: error.class, message: error.message ?? error.code } });
    else this.#endTurn({ reason: "interrupted" });
    log.emit("ca_session_ended", {
      reason,
      ...(error ? { error } : {}),
      ...(this.#final ? { final: this.#final } : {}),
    });
    await log.seal();
    await this.#deps.ended(reason);
  }
}

function unavailable(errorClass: EngineErrorData["class"], message: string): NonNullable<SessionEndedData["error"]> {
  return { code: "ENGINE_UNAVAILABLE", class: errorClass, message };
}
