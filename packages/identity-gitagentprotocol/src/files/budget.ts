import type { SourceLimits } from "../options.ts";

/** A source is larger than the operator allows. The message names the limit. */
export class LimitExceeded extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LimitExceeded";
  }
}

/** Counts what a source brings in. Throws `LimitExceeded` before the limit is passed. */
export class Budget {
  readonly #limits: SourceLimits;
  #files = 0;
  #bytes = 0;

  constructor(limits: SourceLimits) {
    this.#limits = limits;
  }

  /** Counts one entry of so many bytes. */
  spend(bytes: number): void {
    this.#files += 1;
    if (this.#files > this.#limits.maxFiles) throw new LimitExceeded(`has more than ${this.#limits.maxFiles} files`);
    this.grow(bytes);
  }

  /** Counts bytes of an entry that is counted already. */
  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxBytes) throw new LimitExceeded(`is larger than ${this.#limits.maxBytes} bytes`);
  }
}
