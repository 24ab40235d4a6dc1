import type { HarnessClient } from "@computeragent/sdk";
import { EXIT } from "../exit-codes.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What a run in progress can be told. */
interface Target {
  readonly client: HarnessClient;
  readonly sessionId: string;
  readonly note: (text: string) => void;
}

/**
 * What signals mean during a run. Ctrl-C: once interrupts the turn, twice cancels the session, a third time ends this
 * process. SIGTERM and SIGHUP cancel. Before there is a session, any of them gives the start up, and a second Ctrl-C ends
 * this process. Until it is disposed no signal ends the process by itself, so what the run made is cleaned up.
 */
export class Interrupts implements Disposable {
  count = 0;
  readonly #giveUp = new AbortController();
  #target: Target | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Aborted when a signal came before there was a session. */
  get givenUp(): AbortSignal {
    return this.#giveUp.signal;
  }

  /** From now on signals are for this session. */
  attach(target: Target): void {
    this.#target = target;
    if (this.givenUp.aborted) this.#cancel(target);
  }

  /** Signals have their ordinary meaning again. */
  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: NodeJS.Signals): void => {
    const ctrlC = signal === "SIGINT";
    const target = this.#target;
    this.count++;
    if (!target && ctrlC && this.givenUp.aborted) process.exit(EXIT.interrupted);
    else if (!target) this.#giveUp.abort(new Error("the start was interrupted"));
    else if (!ctrlC || this.count === 2) this.#cancel(target);
    else if (this.count === 1) {
      target.note("interrupting; press Ctrl-C again to cancel the session");
      target.client.call("interrupt", { sessionId: target.sessionId }).catch(() => {});
    } else process.exit(EXIT.interrupted);
  };

  #cancel({ client, sessionId, note }: Target): void {
    this.count = Math.max(this.count, 2);
    note("cancelling");
    client.call("cancel", { sessionId }).catch(() => {});
  }
}
