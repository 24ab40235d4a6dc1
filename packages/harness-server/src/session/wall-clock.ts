/** The longest time a Node timer can take. */
const LONGEST_MS = 2 ** 31 - 1;

/** Measures the running time of a session: a turn runs and no human is waited for. Calls `onExceeded` when it is used up. */
export class WallClock {
  readonly #limitMs: number | undefined;
  readonly #onExceeded: () => void;
  #usedMs = 0;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #state = { turn: false, waiting: false };

  constructor(limitMs: number | undefined, onExceeded: () => void) {
    this.#limitMs = limitMs;
    this.#onExceeded = onExceeded;
  }

  /** Says whether a turn runs, and whether it waits for a human. What is left out stays as it is. */
  set(change: { readonly turn?: boolean; readonly waiting?: boolean }): void {
    this.#state = { ...this.#state, ...change };
    const runs = this.#state.turn && !this.#state.waiting;
    if (runs && this.#since === undefined) this.#go();
    if (!runs && this.#since !== undefined) this.#halt(this.#since);
  }

  #go(): void {
    this.#since = performance.now();
    this.#arm();
  }

  #halt(since: number): void {
    clearTimeout(this.#timer);
    this.#usedMs += performance.now() - since;
    this.#since = undefined;
  }

  #arm(): void {
    if (this.#limitMs === undefined || this.#since === undefined) return;
    const left = this.#limitMs - this.#usedMs - (performance.now() - this.#since);
    if (left <= 0) this.#onExceeded();
    else this.#timer = setTimeout(() => this.#arm(), Math.min(left, LONGEST_MS));
  }
}
