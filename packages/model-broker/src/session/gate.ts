/** The most that a call may use, in each limited measure. */
export interface Demand {
  readonly tokens: number;
  readonly usd: number;
}

interface Waiter {
  readonly demand: Demand;
  readonly done: (admitted: boolean) => void;
}

/** What the gate asks before it lets a call in. */
export interface GateRules {
  /** A limit is used up: nobody enters any more. */
  exhausted(): boolean;
  /** All of this fits under the limits, whatever the calls use. */
  fits(total: Demand): boolean;
}

/**
 * Lets model calls in, first come first served. Calls whose worst case fits run side by side; one that may cross a
 * limit runs alone, so that at most one call overshoots.
 */
export class Gate {
  readonly #rules: GateRules;
  readonly #inside = new Set<Demand>();
  readonly #waiting: Waiter[] = [];

  constructor(rules: GateRules) {
    this.#rules = rules;
  }

  /** Resolves to whether the call may run: then `leave` must follow. Rejects with the signal's reason. */
  enter(demand: Demand, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const onAbort = (): void => {
      const index = this.#waiting.indexOf(waiter);
      if (index === -1) return;
      this.#waiting.splice(index, 1);
      reject(signal.reason);
      this.#admit();
    };
    const waiter: Waiter = {
      demand,
      done: (admitted) => {
        signal.removeEventListener("abort", onAbort);
        resolve(admitted);
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(waiter);
    if (signal.aborted) onAbort();
    else this.#admit();
    return promise;
  }

  /** The call is over, and what it used is counted. */
  leave(demand: Demand): void {
    if (this.#inside.delete(demand)) this.#admit();
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const exhausted = this.#rules.exhausted();
      if (!exhausted && this.#inside.size > 0 && !this.#rules.fits(this.#with(next.demand))) return;
      this.#waiting.shift();
      if (!exhausted) this.#inside.add(next.demand);
      next.done(!exhausted);
    }
  }

  #with(demand: Demand): Demand {
    return [...this.#inside].reduce(
      (sum, item) => ({ tokens: sum.tokens + item.tokens, usd: sum.usd + item.usd }),
      demand,
    );
  }
}
