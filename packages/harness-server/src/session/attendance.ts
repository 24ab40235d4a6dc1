interface Watch {
  readonly ms: number;
  readonly action: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** Counts the readers of a session, and acts when nobody has read for a while. */
export class Attendance {
  #readers = 0;
  readonly #watches = new Set<Watch>();

  get readers(): number {
    return this.#readers;
  }

  enter(): void {
    this.#readers++;
    for (const watch of this.#watches) clearTimeout(watch.timer);
  }

  leave(): void {
    this.#readers--;
    if (this.#readers === 0) for (const watch of this.#watches) this.#arm(watch);
  }

  /** Calls `action` once, as soon as there was no reader for `ms`. The returned function calls it off. */
  whenAlone(ms: number, action: () => void): () => void {
    const watch: Watch = { ms, action, timer: undefined };
    this.#watches.add(watch);
    if (this.#readers === 0) this.#arm(watch);
    return () => this.#forget(watch);
  }

  /** Calls everything off: the session has ended. */
  close(): void {
    for (const watch of this.#watches) this.#forget(watch);
  }

  #arm(watch: Watch): void {
    watch.timer = setTimeout(() => {
      this.#watches.delete(watch);
      watch.action();
    }, watch.ms);
  }

  #forget(watch: Watch): void {
    clearTimeout(watch.timer);
    this.#watches.delete(watch);
  }
}
