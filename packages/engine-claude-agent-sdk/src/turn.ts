import type { JsonObject } from "@computeragent/protocol";
import { object, string, strings } from "./json.ts";
import { LimitHints } from "./limit-hints.ts";
import type { TurnOutcome } from "./outcome.ts";

/** A turn of the host: one message, and those steered into it. It ends when the CLI has consumed all of them. */
export class Turn {
  turnId: string;
  /** Set when the end is wanted, whatever result still comes. */
  forced: TurnOutcome | undefined;
  /** True once its end was announced; a message steered in at the last moment may still put it off. */
  settling = false;
  /** Of the last result. */
  outcome: TurnOutcome | undefined;
  readonly hints = new LimitHints();
  /** Resolves when the CLI has taken the turn's first message, or the turn is over: from then on an interrupt reaches it. */
  readonly reached: Promise<void>;
  readonly #reach: () => void;
  readonly #outstanding = new Set<string>();
  #steps = 0;
  #results = 0;
  #lastMessageId: string | undefined;

  constructor(turnId: string) {
    this.turnId = turnId;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.reached = promise;
    this.#reach = resolve;
  }

  /** A message was handed to the CLI. */
  sent(uuid: string): void {
    this.#outstanding.add(uuid);
  }

  /** Looks at a message of the CLI, in order. True if the turn may be over: a result came, or its messages were cancelled. */
  observe(message: JsonObject): boolean {
    this.hints.observe(message);
    switch (message.type) {
      case "command_lifecycle":
        return this.#lifecycle(message);
      case "assistant":
        this.#countStep(message);
        return false;
      case "result":
        this.#results += 1;
        this.#consume(message);
        return true;
      default:
        return false;
    }
  }

  /** True when no message is left that the CLI has still to consume. */
  get settled(): boolean {
    return this.#outstanding.size === 0;
  }

  /**
   * True if another model step would follow this message and all of the turn's are used up. The CLI counts by itself, but anew
   * after a result; so this matters only when a steered message makes it run again.
   */
  exceeds(maxSteps: number | undefined, message: JsonObject): boolean {
    if (maxSteps === undefined || this.#results === 0 || this.#steps < maxSteps || this.settled) return false;
    return message.type === "result" || (message.type === "user" && !string(message.parent_tool_use_id));
  }

  /** Nothing more comes for this turn. */
  over(): void {
    this.#outstanding.clear();
    this.#reach();
  }

  #lifecycle(message: JsonObject): boolean {
    const uuid = string(message.command_uuid) ?? "";
    if (!this.#outstanding.has(uuid)) return false;
    this.#reach();
    if (message.state !== "cancelled" && message.state !== "completed") return false;
    this.#outstanding.delete(uuid);
    return this.settled;
  }

  #countStep(message: JsonObject): void {
    const id = string(object(message.message).id);
    if (string(message.parent_tool_use_id) || id === this.#lastMessageId) return;
    this.#lastMessageId = id;
    this.#steps += 1;
  }

  #consume(result: JsonObject): void {
    const uuids = [...strings(result.user_message_uuids), string(result.user_message_uuid)];
    // A result that names no message is of a CLI that does not, or of a start that failed: it speaks for all of them.
    if (uuids.every((uuid) => uuid === undefined)) this.#outstanding.clear();
    for (const uuid of uuids) this.#outstanding.delete(uuid ?? "");
  }
}
