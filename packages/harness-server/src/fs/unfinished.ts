import { type FileHandle, mkdir, readdir, readlink, rm, symlink, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { hiddenName, isHiddenName } from "./hidden-name.ts";
import type { ByteName } from "./rel-path.ts";

/**
 * Notes what is not finished under its hidden name, as links in a folder of the host: a host that is killed half-way leaves the
 * note beside the thing, and who finds the folder removes both. Without a folder nothing is noted.
 */
export class Unfinished {
  readonly #folder: string | undefined;
  #made: Promise<unknown> | undefined;

  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  /** Gives a hidden name in `dir` that is noted. A note that cannot be made is no reason not to write. */
  async begin(dir: FileHandle): Promise<ByteName> {
    const name = hiddenName();
    const folder = this.#folder;
    if (folder === undefined) return name;
    this.#made ??= mkdir(folder, { recursive: true, mode: 0o700 });
    await this.#made
      .then(async () => {
        const at = await readlink(`/proc/self/fd/${dir.fd}`, { encoding: "buffer" });
        await symlink(Buffer.concat([at, Buffer.from(`/${name}`)]), join(folder, name));
      })
      .catch(() => {});
    return name;
  }

  /** Forgets a name that is gone or has become something else. */
  async end(name: ByteName): Promise<void> {
    if (this.#folder !== undefined) await unlink(join(this.#folder, name)).catch(() => {});
  }
}

/** Removes what a host that is dead has noted in `folder` and not finished, and the notes. Never rejects. */
export async function removeUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!isHiddenName(name)) continue;
    const note = join(folder, name);
    const target = await readlink(note, { encoding: "latin1" }).catch(() => undefined);
    if (target === undefined || basename(target) !== name) continue;
    // Nobody can guess the name: wherever the way to it leads by now, what is called so is what was noted.
    const removed = rm(Buffer.from(target, "latin1"), { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (await removed) await unlink(note).catch(() => {});
  }
}
