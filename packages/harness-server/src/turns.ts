/** Milliseconds of a tick of the event loop that may go to those who take turns. */
const SHARE_MS = 10;
/** Nobody steps back longer than this, in milliseconds. */
const MAX_ASIDE_MS = 50;

/**
 * Lets many do something short without holding up everybody else: hundreds of requests that arrived together, or of readers
 * whose sockets take milliseconds for a write. What does not fit in a tick comes in order in the next ones.
 */
export class Turns {
  #waiting: (() => void)[] = [];
  #from: number | undefined;
  #serving = false;
  #aside = false;
  #givenAt = 0;

  /** Undefined: it is your turn, go on at once. Else wait for it, then do all of it before the next tick. */
  take(): Promise<void> | undefined {
    if (this.isFree()) return undefined;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#serving) return;
      this.#serving = true;
      this.#givenAt = performance.now();
      this.#round();
    });
  }

  /** True: it is your turn, if you go on at once. */
  isFree(): boolean {
    return !this.#serving && !this.#aside && this.#hasTime();
  }

  /** Nobody begins in this tick, so that the next one comes soon: what it is needed for comes one in a tick. */
  stepBack(): void {
    if (this.#aside) return;
    this.#aside = true;
    setImmediate(() => {
      this.#aside = false;
    });
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#from === undefined) {
      this.#from = now;
      setImmediate(() => {
        this.#from = undefined;
      });
    }
    return now - this.#from < SHARE_MS;
  }

  #round(): void {
    setImmediate(() => {
      const now = performance.now();
      if (this.#aside && now < this.#givenAt + MAX_ASIDE_MS) return this.#round();
      this.#give(now + SHARE_MS);
    });
  }

  #give(until: number): void {
    this.#waiting.shift()?.();
    this.#givenAt = performance.now();
    this.#serving = this.#waiting.length > 0;
    if (!this.#serving) return;
    // What the one before does in microtasks comes first, and counts.
    queueMicrotask(() =>
      process.nextTick(() => {
        if (performance.now() < until) this.#give(until);
        else this.#round();
      }),
    );
  }
}
