import { open, readFile } from "node:fs/promises";
import { z } from "zod";
import { digestTree } from "./tree-digest.ts";

const entrySchema = z.object({
  /** Paths of submodules in the commit. */
  submodules: z.array(z.string()),
  bytes: z.number().int().nonnegative(),
  digest: z.string(),
});

/** What `entry.json` says of the files beside it. It is written last: without it, or against it, an entry is void. */
export type Entry = z.infer<typeof entrySchema>;

/** Folder of the files in an entry. */
export function filesOf(entry: string): string {
  return `${entry}/files`;
}

/** Describes the files that are in the folder of an entry. */
export async function writeEntry(folder: string, submodules: readonly string[], signal: AbortSignal): Promise<Entry> {
  const entry = { submodules: [...submodules], ...(await digestTree(filesOf(folder), signal)) };
  await using file = await open(`${folder}/entry.json`, "wx", 0o600);
  await file.writeFile(JSON.stringify(entry));
  return entry;
}

/** The description of an entry; undefined when there is none that can be read. */
export async function readEntry(folder: string): Promise<Entry | undefined> {
  try {
    return entrySchema.parse(JSON.parse(await readFile(`${folder}/entry.json`, "utf8")));
  } catch {
    return undefined;
  }
}

/** The description, after all files were read and found to be as described; otherwise undefined. */
export async function checkEntry(folder: string, signal: AbortSignal): Promise<Entry | undefined> {
  const entry = await readEntry(folder);
  if (!entry) return undefined;
  const found = await digestTree(filesOf(folder), signal).catch(() => undefined);
  signal.throwIfAborted();
  return found?.digest === entry.digest && found.bytes === entry.bytes ? entry : undefined;
}
