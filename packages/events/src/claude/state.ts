import type { JsonObject, JsonValue } from "@computeragent/protocol";
import type { PlanStep } from "../normalized-event.ts";
import { countOf, given, idOf, listOf, objectOf, oneOf, stringOf, textOf, withKey } from "../shape.ts";

/** A content block of a message. `done`: its whole text was seen. */
export interface OpenBlock {
  readonly index: number;
  readonly type: string;
  readonly done: boolean;
}

/** The newest message of a conversation. */
export interface OpenMessage {
  readonly id: string;
  readonly blocks: readonly OpenBlock[];
}

/** A tool call without a result yet, and what of its input the result does not repeat. */
export interface OpenCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** A task of Claude's list. */
export interface Task extends PlanStep {
  readonly id: string;
}

/** What the normaliser knows of the events so far: no more than it needs for the next one. */
export interface ClaudeState {
  /** Number of the newest event, -1 before the first. */
  readonly cursor: number;
  readonly epoch: string | null;
  /** By conversation: "" is the main one, others go by the tool call that started them. */
  readonly messages: Readonly<Record<string, OpenMessage>>;
  /** By call id. */
  readonly calls: Readonly<Record<string, OpenCall>>;
  readonly tasks: readonly Task[];
}

/** The state before the first event. */
export const emptyClaudeState = (): ClaudeState => ({ cursor: -1, epoch: null, messages: {}, calls: {}, tasks: [] });

/** Reads a state that was saved as JSON. What is not understood is left out. */
export function loadClaudeState(saved: JsonObject): ClaudeState {
  return {
    cursor: countOf(saved.cursor) ?? -1,
    epoch: stringOf(saved.epoch) ?? null,
    messages: recordOf(saved.messages, (raw) => {
      const id = idOf(raw.id);
      return id === undefined ? undefined : { id, blocks: listOf(raw.blocks).flatMap(readBlock) };
    }),
    calls: recordOf(saved.calls, (raw) => ({ name: textOf(raw.name), input: objectOf(raw.input) })),
    tasks: listOf(saved.tasks).flatMap(readTask),
  };
}

/** The state as JSON. */
export const saveClaudeState = (state: ClaudeState): JsonObject => state as unknown as JsonObject;

function recordOf<T extends object>(
  value: JsonValue | undefined,
  read: (raw: JsonObject) => T | undefined,
): Record<string, T> {
  let record: Record<string, T> = {};
  for (const [key, raw] of Object.entries(objectOf(value))) {
    const item = read(objectOf(raw));
    if (item !== undefined) record = withKey(record, key, item);
  }
  return record;
}

function readBlock(value: JsonValue): OpenBlock[] {
  const raw = objectOf(value);
  const index = countOf(raw.index);
  return index === undefined ? [] : [{ index, type: textOf(raw.type), done: raw.done === true }];
}

function readTask(value: JsonValue): Task[] {
  const raw = objectOf(value);
  const id = idOf(raw.id);
  const status = oneOf(["pending", "in_progress", "completed"], raw.status, "pending");
  return id === undefined ? [] : [{ id, text: textOf(raw.text), status, ...given("active", stringOf(raw.active)) }];
}
