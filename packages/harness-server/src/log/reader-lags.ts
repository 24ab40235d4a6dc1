/** How far a reader is behind, in frame bytes. */
export interface LagProbe {
  /** Frame bytes of the log up to the reader's cursor, less what its socket has not taken. */
  position(): number;
}

/** When a producer waits for a reader, and for how long. */
export interface HoldLimits {
  readonly bytes: number;
  readonly ms: number;
}

const POLL_MS = 20;
/** Readers are looked at again when the log has grown by this much. */
const CHECK_BYTES = 256 * 1024;

/**
 * Holds a producer for the slowest live reader, but not for long: a reader that is still too far behind after the time
 * no longer counts until it has caught up.
 */
export class ReaderLags {
  readonly #limits: HoldLimits;
  readonly #live = new Set<LagProbe>();
  #nextCheck = 0;

  constructor(limits: HoldLimits) {
    this.#limits = limits;
  }

  add(probe: LagProbe): void {
    this.#live.add(probe);
  }

  remove(probe: LagProbe): void {
    this.#live.delete(probe);
  }

  /** Undefined when nobody is known to be too far behind `total`, the weight of the log. */
  hold(total: number): Promise<void> | undefined {
    if (total < this.#nextCheck) return undefined;
    this.#nextCheck = total + CHECK_BYTES;
    for (const probe of this.#live) if (this.#isBehind(probe, total)) return this.#wait(total);
    return undefined;
  }

  async #wait(total: number): Promise<void> {
    for (let waited = 0; waited < this.#limits.ms; waited += POLL_MS) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      if (![...this.#live].some((probe) => this.#isBehind(probe, total))) return;
    }
    for (const probe of this.#live) if (this.#isBehind(probe, total)) this.#live.delete(probe);
  }

  #isBehind(probe: LagProbe, total: number): boolean {
    return total - probe.position() > this.#limits.bytes;
  }
}
