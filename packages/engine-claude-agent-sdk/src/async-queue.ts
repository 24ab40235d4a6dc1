/** A queue with one reader. `push` never blocks; a producer that can wait asks `room()` first. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #highWaterMark: number;
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  /** `highWaterMark`: items that may wait before `room()` waits. */
  constructor(highWaterMark = Number.POSITIVE_INFINITY) {
    this.#highWaterMark = highWaterMark;
  }

  /** Ignored after the end. */
  push(item: T): void {
    if (this.#ended) return;
    this.#items.push(item);
    this.#wakeReader?.();
  }

  /** What was pushed is still read; then the iteration ends. */
  end(): void {
    this.#ended = true;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  }

  /** Like `end`, but the iteration throws at its end. */
  fail(error: unknown): void {
    if (!this.#ended) this.#failure = { error };
    this.end();
  }

  /** Resolves when fewer items than the mark wait, or nobody reads any more. One producer at a time. */
  async room(): Promise<void> {
    while (!this.#ended && this.#items.length >= this.#highWaterMark) {
      await new Promise<void>((resolve) => {
        this.#wakeWriter = resolve;
      });
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#wakeWriter?.();
        yield item;
      } else if (this.#failure) throw this.#failure.error;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
