import type { EngineInput } from "@computeragent/protocol";

/** The engine's side of a session's input: what is pushed is iterated in order; `end` ends the iteration after that. */
export class InputChannel implements AsyncIterable<EngineInput> {
  readonly #queue: EngineInput[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  /** False after the end: then it was not taken. */
  push(input: EngineInput): boolean {
    if (this.#ended) return false;
    this.#queue.push(input);
    this.#wake?.();
    return true;
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<EngineInput> {
    for (;;) {
      const next = this.#queue.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    }
  }
}
