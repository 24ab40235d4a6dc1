import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { chunksOf, sameVersion } from "./descriptors.ts";

/** Files up to this size (bytes) have their SHA-256 as ETag; larger ones a tag made of inode, size and times. */
export const HASH_LIMIT = 16 * 1024 * 1024;
const CACHED = 4096;
/** A file changed this recently (ms) may change again within one tick of the file system's clock: its hash is not kept. */
const SETTLED_MS = 2000;
const SHA256 = /^[0-9a-f]{64}$/;

/** The SHA-256 of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Content hashes and ETags, with a cache keyed by the version of the file. Tags are without their quotes. */
export class Digests {
  readonly #cache = new Map<string, string>();

  /** The strong validator of an open file. */
  async tag(file: FileHandle, stat: BigIntStats): Promise<string> {
    return stat.size <= BigInt(HASH_LIMIT) ? this.sha(file, stat) : versionOf(stat);
  }

  /** True when `tag` names this content: its validator, or the SHA-256 that a write answered, whatever the size. */
  async has(tag: string, file: FileHandle, stat: BigIntStats): Promise<boolean> {
    if (SHA256.test(tag)) return (await this.sha(file, stat)) === tag;
    return tag === versionOf(stat) && stat.size > BigInt(HASH_LIMIT);
  }

  /** The SHA-256 of the content in hex. */
  async sha(file: FileHandle, stat: BigIntStats): Promise<string> {
    const key = versionOf(stat);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const settled = Date.now() - Number(stat.ctimeMs) > SETTLED_MS;
    const hash = createHash("sha256");
    for await (const chunk of chunksOf(file, Number(stat.size))) hash.update(chunk);
    const sha = hash.digest("hex");
    if (settled && sameVersion(stat, await file.stat({ bigint: true }))) this.#keep(key, sha);
    return sha;
  }

  #keep(key: string, sha: string): void {
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= CACHED && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(key, sha);
  }
}

function versionOf(stat: BigIntStats): string {
  return [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].map((part) => part.toString(36)).join("-");
}
