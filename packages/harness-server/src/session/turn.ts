import type { EngineErrorData, TurnEndReason, Usage } from "@computeragent/protocol";
import type { EventLog } from "../log/event-log.ts";
import type { QueuedTurn } from "./turn-queue.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** A running turn. `done` resolves with its reason; `endSeq` is the id of its end event once that is committed. */
export interface Turn {
  readonly turnId: string;
  readonly messageIds: string[];
  readonly startedAt: number;
  readonly done: Promise<TurnEndReason>;
  readonly finish: (reason: TurnEndReason) => void;
  interrupting: boolean;
  startSeq: number | undefined;
  endSeq: number | undefined;
}

/** Emits `ca_turn_started` and returns the turn. */
export function emitTurnStart(log: EventLog, turnId: string, queued: QueuedTurn): Turn {
  const { promise, resolve } = Promise.withResolvers<TurnEndReason>();
  const turn: Turn = {
    turnId,
    messageIds: [...queued.messageIds],
    startedAt: Date.now(),
    done: promise,
    finish: resolve,
    interrupting: false,
    startSeq: undefined,
    endSeq: undefined,
  };
  log.emit("ca_turn_started", { turnId, messageIds: queued.messageIds }, (seq) => {
    turn.startSeq = seq;
  });
  return turn;
}

/** Emits the usage of turn and session, then `ca_turn_ended`. */
export function emitTurnEnd(
  log: EventLog,
  turn: Turn,
  end: { reason: TurnEndReason; error: EngineErrorData | undefined; usage: Usage },
  meter: UsageMeter,
): void {
  const { turnId, messageIds } = turn;
  log.emit("ca_usage_snapshot", { scope: "turn", turnId, ...end.usage, billing: meter.billing });
  log.emit("ca_usage_snapshot", { scope: "session", ...meter.session, billing: meter.billing });
  log.emit(
    "ca_turn_ended",
    { turnId, messageIds, reason: end.reason, ...(end.error ? { error: end.error } : {}), usage: end.usage },
    (seq) => {
      turn.endSeq = seq;
    },
  );
}
