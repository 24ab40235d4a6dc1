import type { EngineInput } from "@computeragent/protocol";

/** Sorts a session's input: turns wait in a queue, steers go to whoever takes them. */
export class Inbox {
  readonly #turns: EngineInput[] = [];
  readonly #iterator: AsyncIterator<EngineInput>;
  readonly #steer: (input: EngineInput) => Promise<void>;
  #over = false;
  #failed: unknown;
  #wake = Promise.withResolvers<void>();

  constructor(input: AsyncIterable<EngineInput>, steer: (input: EngineInput) => Promise<void>) {
    this.#iterator = input[Symbol.asyncIterator]();
    this.#steer = steer;
    this.#read().then(
      () => this.close(),
      (error: unknown) => {
        this.#failed = error;
        this.close();
      },
    );
  }

  /** The next turn's input; null when there will be none. Rejects when reading failed. */
  async next(): Promise<EngineInput | null> {
    while (this.#turns.length === 0 && !this.#over) await this.#wake.promise;
    const input = this.#turns.shift();
    if (!input && this.#failed !== undefined) throw this.#failed;
    return input ?? null;
  }

  /** The input that will be next, if it has come already. */
  peek(): EngineInput | undefined {
    return this.#turns[0];
  }

  /** Takes no more input. What was not started is dropped with the session. */
  close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake.resolve();
    // A reader that waits inside `next` is released by the host, which ends the input; nobody waits for it here.
    this.#iterator.return?.().catch(() => {});
  }

  async #read(): Promise<void> {
    for (;;) {
      const { value, done } = await this.#iterator.next();
      if (done || this.#over) return;
      if (value.delivery === "steer") await this.#steer(value);
      else {
        this.#turns.push(value);
        this.#wake.resolve();
        this.#wake = Promise.withResolvers<void>();
      }
    }
  }
}
