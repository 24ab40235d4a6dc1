/** Waiting for a transport that may stall: a wait ends when it is writable, closed, or nothing moved for its time-out. */
export class DrainGate {
  #finished = false;
  #waiters = new Set<{ resolve: (ok: boolean) => void; restart: () => void }>();

  /** Bytes were taken by the transport. */
  progress(writable: boolean): void {
    for (const waiter of [...this.#waiters]) writable ? waiter.resolve(true) : waiter.restart();
  }

  /** The transport is gone. */
  finish(): void {
    this.#finished = true;
    for (const waiter of [...this.#waiters]) waiter.resolve(false);
  }

  /** True when writable, false when gone or stalled for `timeoutMs`. */
  wait(timeoutMs: number, writable: () => boolean): Promise<boolean> {
    if (this.#finished) return Promise.resolve(false);
    if (writable()) return Promise.resolve(true);
    return new Promise((settle) => {
      let timer: NodeJS.Timeout;
      const waiter = {
        resolve: (ok: boolean) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          settle(ok);
        },
        restart: () => {
          clearTimeout(timer);
          timer = setTimeout(() => waiter.resolve(false), timeoutMs);
        },
      };
      waiter.restart();
      this.#waiters.add(waiter);
    });
  }
}
