import { constants } from "node:fs";
import { chmod, cp, mkdir, open, rename, rm, stat, utimes } from "node:fs/promises";
import { errorCode } from "../files/error-code.ts";
import { makeFolders } from "../files/make-folders.ts";
import { checkEntry, type Entry, filesOf, writeEntry } from "./entry.ts";
import { type CacheLimits, removeEntry, tidy } from "./eviction.ts";
import { writerName } from "./writer-name.ts";

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** So often a reader tries again whose entry was removed while it read. */
const TRIES = 3;

/** Trees of commits in a folder that processes share. Nothing is found there by its key before it is whole. */
export class CommitCache {
  readonly #dir: string;
  readonly #limits: CacheLimits;

  constructor(dir: string, limits: CacheLimits) {
    this.#dir = dir;
    this.#limits = limits;
  }

  /**
   * Lets `copy` read the files of an entry and resolves with what it gives; undefined when there is no whole entry. `copy` is
   * called again, from the start, when the entry was removed meanwhile. Damaged entries are removed.
   */
  async read<T>(key: string, signal: AbortSignal, copy: (files: string, entry: Entry) => Promise<T>) {
    const folder = `${this.#dir}/${key}`;
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const handle = await open(folder, FOLDER).catch(() => undefined);
      if (!handle) return undefined;
      try {
        // As long as it is open, its inode number is nobody else's.
        const { dev, ino } = await handle.stat();
        const stays = async (): Promise<boolean> => {
          const now = await stat(folder).catch(() => undefined);
          return now?.dev === dev && now.ino === ino;
        };
        const entry = await checkEntry(folder, signal);
        if (!entry) {
          if (await stays()) await removeEntry(this.#dir, key);
          continue;
        }
        const now = new Date();
        await utimes(folder, now, now).catch(() => undefined);
        const outcome = await copy(filesOf(folder), entry).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        // Removal begins with the name: what still has it was whole while it was copied.
        if (!(await stays())) continue;
        if ("error" in outcome) throw outcome.error;
        return outcome.value;
      } finally {
        await handle.close();
      }
    }
    return undefined;
  }

  /** Whether there is an entry, perhaps a damaged one. */
  async has(key: string): Promise<boolean> {
    return (await stat(`${this.#dir}/${key}`).catch(() => undefined))?.isDirectory() ?? false;
  }

  /** Copies the tree at `from`, without `.git`, into the cache. Rejects when the cache cannot be written. */
  async write(key: string, from: string, submodules: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#prepare();
    const building = `${this.#dir}/${await writerName()}`;
    try {
      await mkdir(building, { mode: 0o700 });
      await cp(from, filesOf(building), {
        recursive: true,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
        filter: (path) => {
          signal.throwIfAborted();
          return path !== `${from}/.git`;
        },
      });
      const { bytes } = await writeEntry(building, submodules, signal);
      if (bytes > this.#limits.maxBytes) return;
      await rename(building, `${this.#dir}/${key}`).catch((error: unknown) => {
        // Another writer was first, with the same commit.
        if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
      });
    } finally {
      await rm(building, { recursive: true, force: true, maxRetries: 3 });
      await tidy(this.#dir, this.#limits);
    }
  }

  /** The folder, for this user alone. */
  async #prepare(): Promise<void> {
    await makeFolders(this.#dir);
    const stats = await stat(this.#dir);
    if (process.getuid && stats.uid !== process.getuid()) throw new Error("The cache belongs to another user");
    if ((stats.mode & 0o077) !== 0) await chmod(this.#dir, 0o700);
  }
}
