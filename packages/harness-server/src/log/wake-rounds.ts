/** So many are woken before the clock is looked at. */
const GROUP = 8;
/** Milliseconds of a tick that may go to them; the rest of them comes in the next tick. */
const SHARE_MS = 10;

/**
 * Wakes many readers without holding up everybody else. What a reader does when it is woken is write, and a socket that
 * has not been read can take milliseconds for it: hundreds of them at once would stop the host.
 */
export class WakeRounds {
  readonly #waiting = new Set<() => void>();
  #running = false;

  /** Wakes each of them, in order. One that waits from an earlier call keeps its place. */
  wake(wakers: Iterable<() => void>): void {
    for (const waker of wakers) this.#waiting.add(waker);
    if (this.#running) return;
    this.#running = true;
    this.#round();
  }

  /** It is not to be woken any more. */
  forget(waker: () => void): void {
    this.#waiting.delete(waker);
  }

  #round(): void {
    const until = performance.now() + SHARE_MS;
    const group = (): void => {
      let woken = 0;
      for (const waker of this.#waiting) {
        if (woken++ === GROUP) break;
        this.#waiting.delete(waker);
        waker();
      }
      if (this.#waiting.size === 0) this.#running = false;
      // A woken reader writes in a microtask of its own, which comes before this one.
      else if (performance.now() < until) queueMicrotask(group);
      else setImmediate(() => this.#round());
    };
    group();
  }
}
