import type {
  CreateSessionBody,
  EventData,
  PermissionDecisionBody,
  PermissionRequestData,
} from "@computeragent/protocol";
import { followSession, type HarnessClient, HarnessClientError, type StreamItem } from "@computeragent/sdk";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Interrupts } from "./interrupts.ts";

/** How a run is shown and asked about. */
export interface RunSurface {
  show(item: StreamItem): void;
  note(text: string): void;
  /** Asks a person, or decides without one. */
  decide(request: PermissionRequestData, signal: AbortSignal): Promise<PermissionDecisionBody & { unasked?: boolean }>;
}

/** What came of a run. */
export interface RunOutcome {
  readonly code: ExitCode;
  readonly sessionId: string;
  readonly ended: EventData<"ca_session_ended"> | undefined;
}

/**
 * Runs one session from create to end: shows every event, answers permissions, turns signals into interrupt and cancel.
 * Without `interrupts` signals are left to the caller. Rejects when they came before the session stood.
 */
export async function driveRun(
  client: HarnessClient,
  body: CreateSessionBody,
  surface: RunSurface,
  interrupts?: Interrupts,
): Promise<RunOutcome> {
  const stop = interrupts ? { signal: interrupts.givenUp } : {};
  const { sessionId } = await client.call("createSession", { body, ...stop });
  interrupts?.attach({ client, sessionId, note: (text) => surface.note(text) });
  await client.call("endInput", { sessionId });
  const prompts = new Prompts(client, sessionId, surface);
  let ended: EventData<"ca_session_ended"> | undefined;
  let lastTurn: EventData<"ca_turn_ended"> | undefined;
  try {
    for await (const item of followSession(client, sessionId)) {
      surface.show(item);
      if (item.type === "ca_permission_request") prompts.asked(item.data);
      if (item.type === "ca_permission_resolved") prompts.resolved(item.data.callId);
      if (item.type === "ca_turn_ended") lastTurn = item.data;
      if (item.type === "ca_session_ended") ended = item.data;
    }
  } finally {
    prompts.stop();
  }
  return { code: exitCode(ended, lastTurn, interrupts?.count ?? 0, prompts.unasked), sessionId, ended };
}

function exitCode(
  ended: EventData<"ca_session_ended"> | undefined,
  turn: EventData<"ca_turn_ended"> | undefined,
  interrupts: number,
  unasked: number,
): ExitCode {
  if (interrupts > 0) return EXIT.interrupted;
  if (ended?.reason === "budget_exceeded" || turn?.reason === "max_turns") return EXIT.refused;
  if (ended?.reason !== "complete" || turn?.reason !== "complete") return EXIT.failed;
  return unasked > 0 ? EXIT.refused : EXIT.success;
}

/** Permission requests, one after another; one that is resolved elsewhere is no longer asked about. */
class Prompts {
  unasked = 0;
  readonly #client: HarnessClient;
  readonly #sessionId: string;
  readonly #surface: RunSurface;
  readonly #open = new Map<string, AbortController>();
  #queue: Promise<void> = Promise.resolve();

  constructor(client: HarnessClient, sessionId: string, surface: RunSurface) {
    this.#client = client;
    this.#sessionId = sessionId;
    this.#surface = surface;
  }

  asked(request: PermissionRequestData): void {
    if (this.#open.has(request.callId)) return;
    const abort = new AbortController();
    this.#open.set(request.callId, abort);
    this.#queue = this.#queue.then(() => this.#ask(request, abort.signal));
  }

  resolved(callId: string): void {
    this.#open.get(callId)?.abort();
    this.#open.delete(callId);
  }

  stop(): void {
    for (const abort of this.#open.values()) abort.abort();
    this.#open.clear();
  }

  async #ask(request: PermissionRequestData, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const { unasked, ...body } = await this.#surface.decide(request, signal);
      if (unasked) this.unasked++;
      await this.#client.call("answerPermission", { sessionId: this.#sessionId, callId: request.callId, body });
    } catch (error) {
      const settled = HarnessClientError.isInstance(error) && (error.status === 409 || error.status === 410);
      if (!signal.aborted && !settled) this.#surface.note(`the answer could not be given: ${String(error)}`);
    }
  }
}
