import { constants } from "node:fs";
import { chmod, copyFile as copyContent, open } from "node:fs/promises";
import type { NoticeList } from "../model/notices.ts";
import type { Budget } from "./budget.ts";
import { isGone, isUnreadable } from "./error-code.ts";

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const EXCLUSIVE = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/**
 * Copies one regular file (copy-on-write where the disk can) with its permission bits, minus setuid and the like.
 * False when it is gone, is no longer a regular file, or may not be read.
 */
export async function copyFile(
  from: string,
  to: string,
  path: string,
  { budget, notices }: { readonly budget: Budget; readonly notices: NoticeList },
): Promise<boolean> {
  try {
    const file = await open(from, READ);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return false;
      budget.spend(stats.size);
      await copyContent(process.platform === "linux" ? `/proc/self/fd/${file.fd}` : from, to, EXCLUSIVE);
      // The copy has the mode of the source already.
      const mode = (stats.mode & 0o777) | 0o400;
      if (mode !== (stats.mode & 0o7777)) await chmod(to, mode);
      return true;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isGone(error)) return false;
    if (!isUnreadable(error)) throw error;
    notices.add("warning", "gap.source.unreadable", path, "The file may not be read: it was not copied.");
    return false;
  }
}
