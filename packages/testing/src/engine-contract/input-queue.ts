import type { EngineInput } from "@computeragent/protocol";

/** The input of a session under test: what is put in comes out in order, until `end`. */
export class InputQueue implements AsyncIterable<EngineInput> {
  readonly #waiting: EngineInput[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  put(input: EngineInput): void {
    this.#waiting.push(input);
    this.#ring();
  }

  end(): void {
    this.#ended = true;
    this.#ring();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EngineInput> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else if (this.#ended) return;
      else await this.#wake.promise;
    }
  }

  #ring(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}
