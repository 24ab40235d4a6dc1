import { appendFile, chmod, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

/**
 * Folders that this host made. Each is recorded before it is made, and only recorded folders under `root` are ever
 * removed: a folder that somebody else made is never touched.
 */
export class OwnedDirs {
  readonly root: string;
  readonly #record: string;
  readonly #owned = new Set<string>();

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
    await appendFile(this.#record, `${JSON.stringify({ owned: path })}\n`, { mode: 0o600 });
    await mkdir(path, { mode: 0o700 });
    this.#owned.add(path);
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
    return true;
  }
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
