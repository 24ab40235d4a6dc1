import { type EngineErrorData, newId, type TurnEndReason, type Usage, type UserMessage } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** Messages that will make one turn; `turn` is set once they do. */
export interface QueuedTurn {
  readonly messageIds: readonly string[];
  readonly messages: readonly UserMessage[];
  turn?: Turn;
}

/** A running turn. `done` resolves when it has ended; the ids are those of its first and last event, once committed. */
export interface Turn {
  readonly turnId: string;
  readonly messageIds: string[];
  readonly done: Promise<void>;
  readonly finish: () => void;
  interrupting: boolean;
  startSeq: number | undefined;
  endSeq: number | undefined;
}

/** Emits `ca_turn_started` and returns the turn. */
export function emitTurnStart(log: EventLog, queued: QueuedTurn): Turn {
  const { promise, resolve } = Promise.withResolvers<void>();
  const turn: Turn = {
    turnId: newId("turn"),
    messageIds: [...queued.messageIds],
    done: promise,
    finish: resolve,
    interrupting: false,
    startSeq: undefined,
    endSeq: undefined,
  };
  log.emit("ca_turn_started", { turnId: turn.turnId, messageIds: queued.messageIds }, (seq) => {
    turn.startSeq = seq;
  });
  return turn;
}

/** How a turn ended. `usage` is the engine's own figure, for turns that no broker metered. */
export interface TurnEnd {
  readonly reason: TurnEndReason;
  readonly error?: EngineErrorData | undefined;
  readonly usage?: Usage | undefined;
}

/** Emits the usage of turn and session, then `ca_turn_ended`. */
export function emitTurnEnd(log: EventLog, turn: Turn, end: TurnEnd, meter: UsageMeter): void {
  const { turnId, messageIds } = turn;
  const { reason, error } = end;
  const usage = meter.endTurn(end.usage);
  log.emit("ca_usage_snapshot", { scope: "turn", turnId, ...usage, billing: meter.billing });
  log.emit("ca_usage_snapshot", { scope: "session", ...meter.session, billing: meter.billing });
  log.emit("ca_turn_ended", { turnId, messageIds, reason, ...(error ? { error } : {}), usage }, (seq) => {
    turn.endSeq = seq;
  });
}
