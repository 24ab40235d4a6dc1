import type { HarnessClient } from "@computeragent/sdk";

/** Ctrl-C during a run: once interrupts the turn, twice cancels the session, a third time ends this process. */
export class Interrupts {
  count = 0;
  readonly #onSignal: () => void;

  constructor(client: HarnessClient, sessionId: string, note: (text: string) => void) {
    this.#onSignal = () => {
      this.count++;
      if (this.count === 1) {
        note("interrupting; press Ctrl-C again to cancel the session");
        client.call("interrupt", { sessionId }).catch(() => {});
      } else if (this.count === 2) {
        note("cancelling");
        client.call("cancel", { sessionId }).catch(() => {});
      } else process.exit(130);
    };
    process.on("SIGINT", this.#onSignal);
  }

  /** Ctrl-C has its ordinary meaning again. */
  stop(): void {
    process.off("SIGINT", this.#onSignal);
  }
}
