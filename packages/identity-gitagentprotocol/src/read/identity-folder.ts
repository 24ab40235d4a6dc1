import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/** What a path of an identity holds. `cut`: only the first bytes were read. `link`: one is there, but leads outside or nowhere. */
export type TextResult =
  | { readonly kind: "text"; readonly text: string; readonly cut: boolean }
  | { readonly kind: "missing"; readonly link: boolean }
  | { readonly kind: "refused"; readonly why: string };

/** Reads a materialised identity; links are followed only while they stay inside. Paths use `/` and are relative to it. */
export class IdentityFolder {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Opens an existing folder. */
  static async open(dir: string): Promise<IdentityFolder> {
    return new IdentityFolder(await realpath(dir));
  }

  /** At most `maxBytes` of a UTF-8 file, without byte order mark and with LF line ends. */
  async readText(path: string, maxBytes: number): Promise<TextResult> {
    const real = await this.resolve(path);
    if (real === undefined) return { kind: "missing", link: await isThere(join(this.#root, path)) };
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
      () => undefined,
    );
    if (!file) return { kind: "refused", why: "cannot be opened" };
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { kind: "refused", why: "is not a regular file" };
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(stats.size, maxBytes)), { position: 0 });
      const cut = stats.size > maxBytes;
      const text = decode(buffer.subarray(0, bytesRead), cut);
      if (text === undefined) return { kind: "refused", why: "is not valid UTF-8 text" };
      return { kind: "text", text: text.replaceAll("\r\n", "\n"), cut };
    } finally {
      await file.close();
    }
  }

  /** Names in a folder, sorted, with what they lead to; empty when there is no such folder. */
  async list(path: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]> {
    const real = await this.resolve(path);
    const entries: Dirent[] = real === undefined ? [] : await readdir(real, { withFileTypes: true }).catch(() => []);
    const names = entries.map((entry) => entry.name).sort();
    return Promise.all(names.map(async (name) => ({ name, isFolder: await this.isFolder(`${path}/${name}`) })));
  }

  /** Whether there is such a folder, perhaps through a link. */
  async isFolder(path: string): Promise<boolean> {
    const real = await this.resolve(path);
    return real !== undefined && (await stat(real)).isDirectory();
  }

  /** Real path of something inside; undefined when it is missing or leads outside. */
  async resolve(path: string): Promise<string | undefined> {
    const real = await realpath(join(this.#root, path)).catch(() => undefined);
    return real === this.#root || real?.startsWith(this.#root + sep) ? real : undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** UTF-8 text; when the bytes were cut, a character that the cut split is left out. */
function decode(bytes: Uint8Array, cut: boolean): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
