import { type EngineInput, newId, type UserMessage, WireError } from "@computeragent/protocol";
import type { QueuedTurn } from "./turn.ts";

/** What an engine gets of a turn. */
export function inputOf(turnId: string, queued: QueuedTurn, delivery: EngineInput["delivery"]): EngineInput {
  return { turnId, messageIds: queued.messageIds, messages: queued.messages, delivery };
}

/** Messages that wait for the engine. The host holds them, so nothing is lost when an engine dies. */
export class TurnQueue {
  readonly max: number;
  readonly #turns: QueuedTurn[] = [];
  readonly #clientIds = new Map<string, string>();

  constructor(max: number) {
    this.max = max;
  }

  get length(): number {
    return this.#turns.length;
  }

  /** Throws LIMIT_REACHED when full. */
  add(messages: readonly UserMessage[]): QueuedTurn {
    if (this.#turns.length >= this.max) {
      throw new WireError("LIMIT_REACHED", `${this.max} messages are waiting already`);
    }
    const turn = { messageIds: messages.map(() => newId("msg")), messages };
    this.#turns.push(turn);
    return turn;
  }

  next(): QueuedTurn | undefined {
    return this.#turns.shift();
  }

  /** Takes a turn that has not begun out of the queue; false if it is not waiting. */
  drop(turn: QueuedTurn): boolean {
    const index = this.#turns.indexOf(turn);
    if (index >= 0) this.#turns.splice(index, 1);
    return index >= 0;
  }

  /** The message id given before to this client message id. */
  known(clientMessageId: string): string | undefined {
    return this.#clientIds.get(clientMessageId);
  }

  remember(clientMessageId: string, messageId: string): void {
    this.#clientIds.set(clientMessageId, messageId);
    if (this.#clientIds.size > 10_000) {
      const oldest = this.#clientIds.keys().next();
      if (!oldest.done) this.#clientIds.delete(oldest.value);
    }
  }
}
