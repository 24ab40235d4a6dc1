import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import createIgnore, { type Ignore } from "ignore";

/** A `.gitignore` larger than this is not read. */
const MAX_BYTES = 1024 * 1024;

/** One `.gitignore`: its rules, and how a path below the copied folder reads from where it stands. */
interface Layer {
  readonly rules: Ignore;
  readonly localPath: (path: string) => string;
}

/** The `.gitignore` files in force in one folder, outermost first. */
export type IgnoreLayers = readonly Layer[];

/** Rules of a folder itself, `path` relative to the copied folder ("" for that one); `readable` is where to read it from. */
export async function enterFolder(layers: IgnoreLayers, path: string, readable: string): Promise<IgnoreLayers> {
  const rules = await readRules(readable);
  if (!rules) return layers;
  return [...layers, { rules, localPath: (other) => (path === "" ? other : other.slice(path.length + 1)) }];
}

/** True when git would ignore the path: the innermost `.gitignore` that says anything decides. */
export function isIgnored(layers: IgnoreLayers, path: string, isFolder: boolean): boolean {
  for (const layer of layers.toReversed()) {
    const { ignored, unignored } = ask(layer, path, isFolder);
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * The rules for what is in a folder that is not ignored. Where an inner file brought back a folder that an outer one
 * ignores, the outer one must judge what is inside by itself, not by that folder.
 */
export function beneath(layers: IgnoreLayers, path: string): IgnoreLayers {
  return layers.map((layer) => {
    if (!ask(layer, path, true).ignored) return layer;
    const back = `!/${layer.localPath(path).replaceAll(/[\\*?[\]!# ]/g, "\\$&")}/`;
    return { ...layer, rules: createIgnore({ ignorecase: false }).add(layer.rules).add(back) };
  });
}

function ask({ rules, localPath }: Layer, path: string, isFolder: boolean) {
  return rules.test(isFolder ? `${localPath(path)}/` : localPath(path));
}

/** The rules of the folders above `root`, up to the top of the git work tree around it; none outside of one. */
export async function outerRules(root: string): Promise<IgnoreLayers> {
  const above: { readonly folder: string; readonly inside: string }[] = [];
  let inside = "";
  for (let folder = root; !(await exists(join(folder, ".git"))); ) {
    const parent = dirname(folder);
    if (parent === folder) return [];
    inside = inside === "" ? basename(folder) : `${basename(folder)}/${inside}`;
    folder = parent;
    above.unshift({ folder, inside });
  }
  const layers: Layer[] = [];
  for (const { folder, inside: prefix } of above) {
    const rules = await readRules(folder);
    // A folder that is ignored as a whole was named on purpose: then its surroundings have no say.
    if (rules?.ignores(`${prefix}/`)) return [];
    if (rules) layers.push({ rules, localPath: (path) => `${prefix}/${path}` });
  }
  return layers;
}

async function readRules(folder: string): Promise<Ignore | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, ".gitignore"), flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(stats.size, 1)), { position: 0 });
    const text = buffer.toString("utf8", 0, bytesRead);
    return createIgnore({ ignorecase: false }).add(text.replace(/^\uFEFF/, ""));
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
