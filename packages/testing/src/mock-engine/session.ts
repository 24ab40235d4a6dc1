import { setImmediate as nextTick } from "node:timers/promises";
import type { EngineContext, EngineEvent, EngineInput, EngineSession } from "@computeragent/protocol";
import { EventChannel } from "./channel.ts";
import { MockHistory } from "./history.ts";
import { engineSessionIdFor, Ids } from "./ids.ts";
import { Inbox } from "./inbox.ts";
import { afterEnd, type Misconduct, misconductOf } from "./misconduct.ts";
import type { MockEngineOptions, MockSessionOptions } from "./options.ts";
import { Payloads } from "./payloads.ts";
import { Turn } from "./turn.ts";
import type { SessionScope } from "./turn-scope.ts";

/** A session of the mock engine. It starts when it is iterated. */
export class MockSession implements EngineSession {
  readonly #context: EngineContext<MockSessionOptions>;
  readonly #settings: MockEngineOptions;
  readonly #misconduct: Misconduct;
  readonly #channel = new EventChannel();
  readonly #late: EngineInput[] = [];
  readonly #doomed = new WeakSet<EngineInput>();
  #inbox: Inbox | null = null;
  #turn: Turn | null = null;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(context: EngineContext<MockSessionOptions>, settings: MockEngineOptions) {
    this.#context = context;
    this.#settings = settings;
    this.#misconduct = misconductOf(context.options.misbehave ?? settings.misbehave, settings);
  }

  [Symbol.asyncIterator](): AsyncIterator<EngineEvent> {
    if (this.#running) throw new Error("a session is iterated once");
    const { signal } = this.#context;
    const abort = (): void => void (this.#misconduct.ignoresAbort || this.#stop());
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    this.#running = (this.#stopped ? Promise.resolve() : this.#run()).then(
      () => this.#channel.end(),
      (error: unknown) => this.#channel.end(error),
    );
    this.#running.finally(() => signal.removeEventListener("abort", abort));
    return {
      next: () => this.#channel.next(),
      return: async () => {
        await this.kill();
        return { value: undefined, done: true };
      },
    };
  }

  async interrupt(): Promise<void> {
    if (this.#misconduct.ignoresAbort || this.#interruptNow()) return;
    // An input that the host has just handed over may not have arrived yet.
    await nextTick();
    this.#interruptNow();
  }

  async close(): Promise<void> {
    await this.#misconduct.beforeClose(() => this.#stopped);
    await this.kill();
  }

  async kill(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  #interruptNow(): boolean {
    const waiting = this.#inbox?.peek();
    if (this.#turn) this.#turn.interrupt();
    else if (waiting) this.#doomed.add(waiting);
    return this.#turn !== null || waiting !== undefined;
  }

  #stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    const emitsLate = this.#misconduct.emitsLate && this.#running;
    if (emitsLate) for (const event of afterEnd(this.#turn?.id ?? "none")) void this.#channel.push(event);
    else this.#channel.cut();
    this.#inbox?.close();
    this.#turn?.interrupt();
  }

  async #run(): Promise<void> {
    if (this.#misconduct.neverStarts) return this.#untilStopped();
    const { sessionId, home, input, resume } = this.#context;
    const inbox = new Inbox(input, (steered) => this.#steer(steered));
    this.#inbox = inbox;
    const history = await MockHistory.open(home, engineSessionIdFor(sessionId), resume);
    try {
      await this.#converse(inbox, history);
    } finally {
      await history.close();
    }
  }

  async #converse(inbox: Inbox, history: MockHistory): Promise<void> {
    const scope = this.#scope(history);
    await scope.emit({ kind: "state", state: { engineSessionId: history.engineSessionId } });
    for (let next = await inbox.next(); next && !this.#stopped; next = await inbox.next()) {
      this.#misconduct.beforeTurn(scope);
      if (this.#misconduct.exitsEarly) return;
      const turn = new Turn(next.turnId, scope, history, this.#settings.price);
      if (this.#doomed.has(next)) turn.interrupt();
      this.#turn = turn;
      await turn.run([...this.#late.splice(0), next]);
      this.#turn = null;
      if (this.#misconduct.emitsLate) for (const event of afterEnd(next.turnId)) await scope.emit(event);
    }
  }

  #scope(history: MockHistory): SessionScope {
    const { sessionId, model } = this.#context;
    const ids = new Ids(history.engineSessionId, history.lines.length);
    return {
      context: this.#context,
      ids,
      payloads: new Payloads(history.engineSessionId, ids, model.name ?? "mock"),
      childEnv: this.#settings.childEnv?.(sessionId) ?? {},
      stopped: () => this.#stopped,
      emit: (event) => this.#channel.push(event),
    };
  }

  /** A steer that comes when its turn is over opens the next one: nothing the user said is lost. */
  async #steer(input: EngineInput): Promise<void> {
    if (await this.#turn?.add(input)) return;
    this.#late.push(input);
    const message = "A message came after the turn it was meant for had ended: it opens the next turn.";
    void this.#channel.push({ kind: "notice", notice: { level: "warning", code: "steer_late", message } });
  }

  async #untilStopped(): Promise<void> {
    while (!this.#stopped) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
