import { appendFile, chmod, mkdir, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/** Lines of the record that are kept before it is written anew with what is owned still. */
const SPARE_LINES = 1000;

/**
 * Folders that this host made. Each is recorded before it is made, and only recorded folders under `root` are ever
 * removed: a folder that somebody else made is never touched.
 */
export class OwnedDirs {
  readonly root: string;
  readonly #record: string;
  /** Owned, or about to be made. */
  readonly #recorded = new Set<string>();
  readonly #owned = new Set<string>();
  #lines = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(root: string) {
    this.root = root;
    this.#record = join(root, "owned.jsonl");
  }

  /** Makes `root` (0700) where needed. */
  static async open(root: string): Promise<OwnedDirs> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new OwnedDirs(await realpath(root));
  }

  /** Makes a new folder `root/name` (0700). Rejects if anything is there already. */
  async create(...names: readonly string[]): Promise<string> {
    const path = join(this.root, ...names);
    if (!path.startsWith(this.root + sep)) throw new Error("a folder outside the data folder cannot be owned");
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    this.#recorded.add(path);
    try {
      await this.#write(path);
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      if (!this.#owned.has(path)) this.#recorded.delete(path);
      throw error;
    }
    this.#owned.add(path);
    this.#recorded.add(path);
    return path;
  }

  owns(path: string): boolean {
    return this.#owned.has(path);
  }

  /** Removes an owned folder with all it holds; anything else is left alone. Links in it are removed, not followed. */
  async remove(path: string): Promise<boolean> {
    if (!this.#owned.has(path)) return false;
    await removeTree(path);
    this.#owned.delete(path);
    this.#recorded.delete(path);
    return true;
  }

  /** Adds a line; writes come one after another. */
  #write(path: string): Promise<void> {
    const done = this.#writing.then(async () => {
      if (this.#lines > this.#recorded.size * 2 + SPARE_LINES) await this.#compact();
      else await appendFile(this.#record, line(path), { mode: 0o600 });
      this.#lines++;
    });
    this.#writing = done.catch(() => {});
    return done;
  }

  /** At any moment there is a whole record: the old one or the new one. */
  async #compact(): Promise<void> {
    const recorded = [...this.#recorded];
    await writeFile(`${this.#record}.new`, recorded.map(line).join(""), { mode: 0o600 });
    await rename(`${this.#record}.new`, this.#record);
    this.#lines = recorded.length;
  }
}

function line(path: string): string {
  return `${JSON.stringify({ owned: path })}\n`;
}

/** Removes a folder, also one with folders in it that were made unwritable (tools do that to their caches). */
async function removeTree(path: string): Promise<void> {
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  try {
    await remove();
  } catch (error) {
    if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await makeWritable(path);
    await remove();
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
