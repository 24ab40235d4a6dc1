import { constants, type Dirent, type Stats } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, readdir } from "node:fs/promises";
import { isWholePart } from "../model/parts.ts";
import { copyFile } from "./copy-file.ts";
import { copyLinks } from "./copy-links.ts";
import type { CopyRequest, NoticeSink } from "./copy-request.ts";
import { isGone, isUnreadable } from "./error-code.ts";
import { beneath, enterFolder, type IgnoreLayers, isIgnored, outerRules } from "./ignore-rules.ts";
import { MAX_DEPTH } from "./safe-path.ts";

interface Folder {
  /** Path below the copied folder, "" for itself. */
  readonly path: string;
  readonly depth: number;
  readonly layers: IgnoreLayers;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const IGNORED = "A .gitignore names this part of the agent: it was not copied.";
/** So many files are copied at once. */
const PARALLEL = 8;

/**
 * Copies regular files, folders and links that stay inside; the source is only read. Folders are walked by descriptor
 * where the system can, so a folder swapped for a link leads nowhere. What vanishes while we look is left out.
 */
export async function copyTree(request: CopyRequest): Promise<void> {
  const target = await lstat(request.to);
  const links: string[] = [];
  const copied = new Set<string>([""]);

  const visit = async (readable: string, folder: Folder): Promise<void> => {
    request.signal.throwIfAborted();
    const handle = await openFolder(readable, folder, request.notices);
    if (!handle) return;
    try {
      const stats = await handle.stat();
      if (stats.dev === target.dev && stats.ino === target.ino) return;
      const here = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : readable;
      if (folder.path !== "") await mkdir(`${request.to}/${folder.path}`, { mode: 0o700 });
      copied.add(folder.path);
      await visitEntries(here, folder);
      if (folder.path !== "") await chmod(`${request.to}/${folder.path}`, (stats.mode & 0o777) | 0o700);
    } finally {
      await handle.close();
    }
  };

  const visitEntries = async (here: string, folder: Folder): Promise<void> => {
    const layers = request.gitignore ? await enterFolder(folder.layers, folder.path, here) : folder.layers;
    const entries = await namesIn(here, folder, request.notices);
    const files: { name: string; path: string }[] = [];
    for (const entry of entries) {
      const { name } = entry;
      if (request.leaveOut.has(name)) continue;
      const path = folder.path === "" ? name : `${folder.path}/${name}`;
      const stats = await kindOf(entry, `${here}/${name}`);
      if (!stats) {
        unreadableName(path, request.notices);
      } else if (request.gitignore && isIgnored(layers, path, stats.isDirectory())) {
        // What the author's file asks for needs no word, but an agent without its rules is another agent.
        if (isWholePart(path)) request.notices.add("warning", "gap.source.ignored", path, IGNORED);
      } else if (stats.isDirectory()) {
        request.budget.spend(0);
        await visit(`${here}/${name}`, { path, depth: folder.depth + 1, layers: beneath(layers, path) });
      } else if (stats.isSymbolicLink()) {
        request.budget.spend(0);
        links.push(path);
      } else if (stats.isFile()) {
        files.push({ name, path });
      } else {
        request.notices.add("info", "gap.source.special_file", path, "Not a regular file: it was not copied.");
      }
    }
    for (let start = 0; start < files.length; start += PARALLEL) {
      request.signal.throwIfAborted();
      await settleAll(
        files.slice(start, start + PARALLEL).map(async ({ name, path }) => {
          if (await copyFile(`${here}/${name}`, `${request.to}/${path}`, path, request)) copied.add(path);
        }),
      );
    }
  };

  await visit(request.from, { path: "", depth: 0, layers: request.gitignore ? await outerRules(request.from) : [] });
  await copyLinks(links, copied, request);
}

/** The entry itself when it knows its kind; some file systems do not tell. Names that are no text are looked up, too. */
async function kindOf(entry: Dirent, path: string): Promise<Dirent | Stats | undefined> {
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
  if (known && !entry.name.includes("\uFFFD")) return entry;
  return lstat(path).catch(() => undefined);
}

async function openFolder(readable: string, folder: Folder, notices: NoticeSink): Promise<FileHandle | undefined> {
  if (folder.depth > MAX_DEPTH) {
    notices.add("warning", "gap.source.too_deep", folder.path, `Deeper than ${MAX_DEPTH} folders: not copied.`);
    return undefined;
  }
  try {
    return await open(readable, FOLDER);
  } catch (error) {
    if (folder.path === "") throw error;
    if (isGone(error)) return undefined;
    if (!isUnreadable(error)) throw error;
    notices.add("warning", "gap.source.unreadable", folder.path, "The folder may not be read: it was not copied.");
    return undefined;
  }
}

/** Some file systems let a folder be opened and refuse to list it. */
async function namesIn(here: string, folder: Folder, notices: NoticeSink): Promise<Dirent[]> {
  try {
    return await readdir(here, { withFileTypes: true });
  } catch (error) {
    if (folder.path === "" || !isUnreadable(error)) throw error;
    notices.add("warning", "gap.source.unreadable", folder.path, "The folder may not be read: it was not copied.");
    return [];
  }
}

/** Vanished, or a name that is not UTF-8 and so cannot be asked for. */
function unreadableName(path: string, notices: NoticeSink): void {
  if (path.includes("\uFFFD")) {
    notices.add("warning", "gap.source.name", path, "The name is not valid UTF-8: it was not copied.");
  }
}

/** Waits for all, then throws the first failure: nothing of a batch runs on after this returns. */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}
