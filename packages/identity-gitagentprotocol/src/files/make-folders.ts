import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/**
 * Makes a folder (0700) and what is missing above it, unless they are there. Rejects when it cannot; Node's own recursive
 * mkdir would try forever below /proc.
 */
export async function makeFolders(path: string): Promise<void> {
  if (await makeFolder(path)) return;
  const parent = dirname(path);
  if (parent === path) throw new Error(`There is no ${path}`);
  await makeFolders(parent);
  if (!(await makeFolder(path))) throw new Error(`The folder ${path} cannot be made`);
}

/** False when there is nothing to put it into. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return true;
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
