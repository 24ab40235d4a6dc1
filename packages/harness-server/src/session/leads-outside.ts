import { realpathSync } from "node:fs";
import { dirname, sep } from "node:path";

/** Whether a path that looks as if it were below a folder leads out of it through a link. What is missing on disk is judged by its nearest parent. */
export function leadsOutside(path: string, folder: string): boolean {
  const root = within(folder);
  if (!path.startsWith("/") || !isBelow(path, folder)) return false;
  return !isBelow(within(path), root);
}

/** Where a path, or its nearest parent that exists, really is. */
function within(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync(at);
    } catch {
      if (at === dirname(at)) return at;
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
