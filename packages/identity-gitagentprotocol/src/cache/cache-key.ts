import { createHash } from "node:crypto";

/** What makes two cached trees the same. */
export interface CacheIdentity {
  /** Without secrets. */
  readonly url: string;
  /** Whoever fetched with another credential may have been shown something else. */
  readonly authorization?: string | undefined;
  /** Whole commit id. */
  readonly sha: string;
  readonly subdir?: string | undefined;
}

/** Name of a cache entry: 64 hex digits, from which neither address nor credential can be read. */
export function cacheKey({ url, authorization, sha, subdir }: CacheIdentity): string {
  return hash(JSON.stringify([url, authorization === undefined ? null : hash(authorization), sha, subdir ?? null]));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
