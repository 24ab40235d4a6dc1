import type { Readable } from "node:stream";

const MOST_BYTES = 1024 * 1024;
const GRACE_MS = 500;

/** Keeps the first MiB of what a child writes and counts the rest. */
export class OutputBuffer {
  readonly #stream: Readable;
  readonly #parts: Buffer[] = [];
  readonly #closed: Promise<void>;
  #kept = 0;
  #dropped = 0;

  constructor(stream: Readable) {
    this.#stream = stream;
    this.#closed = new Promise((resolve) => stream.once("close", resolve));
    stream.on("error", () => {});
    stream.on("data", (data: Buffer) => {
      const part = data.subarray(0, MOST_BYTES - this.#kept);
      this.#kept += part.length;
      this.#dropped += data.length - part.length;
      if (part.length > 0) this.#parts.push(part);
    });
  }

  /** Resolves when everything was read. A process that left the group and holds the pipe is waited for half a second. */
  async settled(): Promise<void> {
    const timer = setTimeout(() => this.#stream.destroy(), GRACE_MS);
    await this.#closed;
    clearTimeout(timer);
  }

  text(): string {
    const text = Buffer.concat(this.#parts).toString("utf8");
    return this.#dropped > 0 ? `${text}\n[${this.#dropped} bytes more]` : text;
  }
}
