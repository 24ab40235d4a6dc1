import { scrub } from "./scrub.ts";

const KEEP_BYTES = 4096;
const SHOW_CHARS = 300;

/** The end of what a process wrote to stderr. */
export class StderrTail {
  readonly #secrets: readonly string[];
  #bytes = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-KEEP_BYTES);
  }

  /** Its last words, without secrets, on one line. */
  get text(): string {
    const line = this.#bytes.toString().replace(/\s+/g, " ").trim();
    return scrub(line, this.#secrets).slice(-SHOW_CHARS);
  }
}
