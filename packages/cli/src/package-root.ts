import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

let found: string | undefined;

/** Folder of this package, wherever in it this code lies: compiled file by file or bundled. */
export function packageRoot(): string {
  if (found !== undefined) return found;
  let dir = import.meta.dirname;
  while (!existsSync(join(dir, "package.json")) && dirname(dir) !== dir) dir = dirname(dir);
  found = dir;
  return dir;
}
