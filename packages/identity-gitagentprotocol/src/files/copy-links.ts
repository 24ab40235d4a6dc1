import { readlink, realpath, symlink } from "node:fs/promises";
import { dirname, relative, sep } from "node:path/posix";
import type { CopyRequest } from "./copy-request.ts";

/**
 * Copies the links at `paths` whose target lies inside and was copied; each points to its final target by a relative
 * path. The others are left out with a notice.
 */
export async function copyLinks(
  paths: readonly string[],
  copied: ReadonlySet<string>,
  { from, to, notices, signal }: CopyRequest,
): Promise<void> {
  for (const path of paths) {
    signal.throwIfAborted();
    const target = await targetInside(from, path);
    if (target === undefined || !copied.has(target)) {
      const message = "The link leads outside, nowhere, or to something left out: it was not copied.";
      notices.add("warning", "gap.source.link", path, message);
      continue;
    }
    // Its folder may be gone: then the link is, too.
    if (copied.has(parentOf(path))) {
      await symlink(relative(`/${parentOf(path)}`, `/${target}`) || ".", `${to}/${path}`);
    }
  }
}

/** Path of a link's final target below `root`; undefined when it is elsewhere or nothing. */
async function targetInside(root: string, path: string): Promise<string | undefined> {
  try {
    await readlink(`${root}/${path}`);
    const inside = relative(root, await realpath(`${root}/${path}`));
    return inside === ".." || inside.startsWith(`..${sep}`) ? undefined : inside;
  } catch {
    return undefined;
  }
}

function parentOf(path: string): string {
  const parent = dirname(path);
  return parent === "." ? "" : parent;
}
