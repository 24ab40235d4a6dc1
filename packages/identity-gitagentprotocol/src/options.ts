import type { run } from "@computeragent/supervisor";
import type { CacheLimits } from "./cache/eviction.ts";

/** What one source may cost. `maxBytes` counts file contents, and for git also what is downloaded. */
export interface SourceLimits {
  /** Files, folders and links together. */
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Milliseconds for fetching or copying one source. */
  readonly timeoutMs: number;
}

/** Which folders of this machine a caller may name: every one, or what lies under the roots (absolute paths). */
export type LocalSources = "any" | readonly string[];

/** What reaching a source needs. */
export interface SourceOptions {
  /** `run` of the supervisor: starts git in a process group of its own. */
  readonly run: typeof run;
  /** Default: none. Also rules `file://` and path spellings of git sources. */
  readonly localSources?: LocalSources;
  readonly limits?: Partial<SourceLimits>;
  /** Where PATH, proxy and CA settings for git are taken from; only allow-listed names. Default: the process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Options of `createGapLoader`. Default limits: 20 000 entries, 512 MiB, 2 minutes. */
export interface GapLoaderOptions extends SourceOptions {
  /**
   * A folder of the operator's (made 0700 when missing) where the files of git commits are kept, shared by processes. What an
   * agent may write must not hold it. Default: nothing is kept.
   */
  readonly cacheDir?: string;
  /** Default: 200 commits, 2 GiB. */
  readonly cacheLimits?: Partial<CacheLimits>;
}

/** Options of `createGitCheckout`. Default limits: 200 000 entries, 4 GiB, 10 minutes. */
export type GitCheckoutOptions = SourceOptions;

/** Limits of an identity unless the operator says otherwise. */
export const IDENTITY_LIMITS: SourceLimits = { maxFiles: 20_000, maxBytes: 512 * 1024 ** 2, timeoutMs: 120_000 };

/** Limits of a git workspace unless the operator says otherwise. */
export const WORKSPACE_LIMITS: SourceLimits = { maxFiles: 200_000, maxBytes: 4 * 1024 ** 3, timeoutMs: 600_000 };

/** Limits of the cache unless the operator says otherwise. */
export const CACHE_LIMITS: CacheLimits = { maxEntries: 200, maxBytes: 2 * 1024 ** 3 };
