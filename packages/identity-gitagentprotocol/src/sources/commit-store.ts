import { cacheKey } from "../cache/cache-key.ts";
import { CommitCache } from "../cache/commit-cache.ts";
import type { NoticeSink } from "../files/copy-request.ts";
import { emptyDir } from "../files/empty-dir.ts";
import { isCommitId } from "../git/ref-name.ts";
import type { GitTarget } from "../git/spelling.ts";
import { CACHE_LIMITS } from "../options.ts";
import { checkAllowed } from "./allowed-roots.ts";
import { copyCommit } from "./copy-commit.ts";
import type { Materialiser } from "./materialiser.ts";

/** The cached commits of one source. Without a cache it holds nothing and keeps nothing. */
export interface CommitStore {
  /** Materialises a whole commit id of a source that anybody may read; resolves with the id, or undefined. */
  withoutAsking(): Promise<string | undefined>;
  has(sha: string, subdir: string | undefined): Promise<boolean>;
  /** Materialises a commit; false when it is not there. */
  copy(sha: string, subdir: string | undefined): Promise<boolean>;
  /** Keeps the files of a commit. A cache that cannot be written is a notice. */
  keep(sha: string, subdir: string | undefined, files: string, submodules: readonly string[]): Promise<void>;
}

const NO_STORE: CommitStore = {
  withoutAsking: async () => undefined,
  has: async () => false,
  copy: async () => false,
  keep: async () => {},
};

/** The store for a source, as the options say. */
export function commitStore(source: GitTarget, to: Materialiser): CommitStore {
  const { cacheDir, cacheLimits, localSources } = to.options;
  if (cacheDir === undefined) return NO_STORE;
  const cache = new CommitCache(cacheDir, { ...CACHE_LIMITS, ...cacheLimits });
  const { url, authorization, ref, protocol } = source;
  const keyOf = (sha: string, subdir: string | undefined): string => cacheKey({ url, authorization, sha, subdir });

  const copy = async (sha: string, subdir: string | undefined): Promise<boolean> => {
    const notices = await cache.read(keyOf(sha, subdir), to.signal, async (files, { submodules }) => {
      await emptyDir(to.dir);
      const found: NoticeArguments[] = [];
      const sink: NoticeSink = { add: (...notice) => void found.push(notice) };
      await copyCommit(files, submodules, { ...to, notices: sink });
      return found;
    });
    for (const notice of notices ?? []) to.notices.add(...notice);
    if (notices === undefined) await emptyDir(to.dir);
    return notices !== undefined;
  };

  return {
    withoutAsking: async () => {
      // Over ssh the operator's key is the credential.
      if (ref === undefined || !isCommitId(ref) || authorization !== undefined || protocol === "ssh") return undefined;
      if (source.path !== undefined) await checkAllowed(source.path, localSources);
      return (await copy(ref, source.subdir)) ? ref : undefined;
    },
    has: (sha, subdir) => cache.has(keyOf(sha, subdir)),
    copy,
    keep: async (sha, subdir, files, submodules) => {
      try {
        await cache.write(keyOf(sha, subdir), files, submodules, to.signal);
      } catch {
        to.signal.throwIfAborted();
        to.notices.add(
          "info",
          "gap.source.cache",
          "",
          "The cache of git sources cannot be written: loaded without it.",
        );
      }
    },
  };
}

type NoticeArguments = Parameters<NoticeSink["add"]>;
