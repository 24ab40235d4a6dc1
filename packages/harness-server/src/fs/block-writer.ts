import type { FileHandle } from "node:fs/promises";

const BLOCK = 256 * 1024;

/** Writes a stream to a file in large blocks, one of which is written while the next one fills. Chunks are copied, the caller may reuse them. */
export class BlockWriter {
  readonly #file: FileHandle;
  #filling = Buffer.alloc(0);
  #spare = Buffer.alloc(0);
  #filled = 0;
  #position = 0;
  #writing: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Takes a chunk; rejects with the error of an earlier block too. */
  async write(chunk: Uint8Array): Promise<void> {
    for (let taken = 0; taken < chunk.length; ) {
      if (this.#filling.length === 0) this.#filling = Buffer.allocUnsafeSlow(BLOCK);
      const part = chunk.subarray(taken, taken + BLOCK - this.#filled);
      this.#filling.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled === BLOCK) await this.#flush();
    }
  }

  /** Writes what is left and waits until everything is written. */
  async end(): Promise<void> {
    await this.#flush();
    await this.#settled();
  }

  async #flush(): Promise<void> {
    await this.#settled();
    const block = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    this.#writing = this.#put(block).catch((error: unknown) => {
      this.#failure = { error };
    });
  }

  async #put(block: Uint8Array): Promise<void> {
    for (let done = 0; done < block.length; ) {
      const { bytesWritten } = await this.#file.write(block, done, block.length - done, this.#position);
      done += bytesWritten;
      this.#position += bytesWritten;
    }
  }

  async #settled(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure.error;
  }
}
