import { scrub } from "./scrub.ts";

const KEEP_BYTES = 4096;
const SHOW_CHARS = 300;

/** The end of what a process wrote to stderr. */
export class StderrTail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-KEEP_BYTES);
  }

  /** Its last words, without these secrets, on one line. */
  text(secrets: readonly string[]): string {
    const line = this.#bytes.toString().replace(/\s+/g, " ").trim();
    return scrub(line, secrets).slice(-SHOW_CHARS);
  }
}
