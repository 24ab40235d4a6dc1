import { lstatSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";

/** Whether a path that by its text lies in a folder leads out of it through a link. For what is missing its nearest parent counts. */
export function leadsOutside(path: string, folder: string): boolean {
  return isBelow(path, folder) && !isBelow(realPlace(path), realPlace(folder));
}

/** Whether a path lies in a folder, by its text or through links. */
export function leadsInto(path: string, folder: string): boolean {
  return isBelow(path, folder) || isBelow(realPlace(path), realPlace(folder));
}

/** Where a path, or its nearest parent that exists, really is; a link to nowhere is nowhere. */
export function realPlace(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync(at);
    } catch {
      if (at === dirname(at) || isLink(at)) return "";
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Whether a path is a folder or lies in it, by its text. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
