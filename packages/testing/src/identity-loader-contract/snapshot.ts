import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Every path below `dir` with what it holds: compares two states of a folder. */
export async function snapshot(dir: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = async (path: string): Promise<void> => {
    const stat = await lstat(join(dir, path));
    if (stat.isFile()) found[path] = await readFile(join(dir, path), "base64");
    else if (!stat.isDirectory()) found[path] = `mode ${stat.mode}`;
    else for (const name of (await readdir(join(dir, path))).sort()) await walk(join(path, name));
  };
  await walk(".");
  return found;
}
