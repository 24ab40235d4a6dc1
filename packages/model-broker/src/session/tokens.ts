import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

interface Entry<T> {
  readonly hash: Buffer;
  readonly value: T;
}

/** Tokens and what they stand for. Only hashes are kept. */
export class Tokens<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** Makes a new token for a value. */
  issue(value: T): string {
    const token = `ca-model-${randomBytes(32).toString("base64url")}`;
    const hash = hashOf(token);
    this.#entries.set(hash.toString("hex", 0, 8), { hash, value });
    return token;
  }

  /** The value of a token, or `null`. Takes the same time for every wrong token. */
  find(token: string): T | null {
    const hash = hashOf(token);
    const entry = this.#entries.get(hash.toString("hex", 0, 8));
    return entry && timingSafeEqual(entry.hash, hash) ? entry.value : null;
  }

  /** Takes a token back. */
  revoke(token: string): void {
    this.#entries.delete(hashOf(token).toString("hex", 0, 8));
  }
}
