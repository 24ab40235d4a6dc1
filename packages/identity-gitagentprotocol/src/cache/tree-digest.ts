import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, readlink } from "node:fs/promises";

/** What a folder holds. Equal digests: the same names, kinds, permission bits and contents. */
export interface TreeDigest {
  readonly digest: string;
  readonly bytes: number;
}

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads everything below `root`, links unfollowed. Rejects when there is anything but files, folders and links. */
export async function digestTree(root: string, signal: AbortSignal): Promise<TreeDigest> {
  const hash = createHash("sha256");
  let bytes = 0;
  const visit = async (inside: string): Promise<void> => {
    for (const name of (await readdir(`${root}/${inside}`)).sort()) {
      signal.throwIfAborted();
      const path = inside === "" ? name : `${inside}/${name}`;
      const stats = await lstat(`${root}/${path}`);
      const mode = stats.mode & 0o777;
      if (stats.isDirectory()) {
        hash.update(JSON.stringify(["folder", path, mode]));
        await visit(path);
      } else if (stats.isSymbolicLink()) {
        hash.update(JSON.stringify(["link", path, await readlink(`${root}/${path}`)]));
      } else if (stats.isFile()) {
        hash.update(JSON.stringify(["file", path, mode, stats.size]));
        bytes += stats.size;
        await addContent(hash, `${root}/${path}`, stats.size);
      } else {
        throw new Error("Not a file, folder or link");
      }
    }
  };
  await visit("");
  return { digest: hash.digest("hex"), bytes };
}

async function addContent(hash: Hash, path: string, size: number): Promise<void> {
  await using file = await open(path, READ);
  const buffer = Buffer.allocUnsafe(Math.min(size, 1024 * 1024));
  for (let left = size; left > 0; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(left, buffer.length));
    if (bytesRead === 0) throw new Error("The file became shorter");
    hash.update(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
}
