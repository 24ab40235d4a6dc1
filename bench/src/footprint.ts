import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { rssMiB } from "./processes.ts";

/** What a host holds at one moment. */
export interface Footprint {
  /** Processes below it. */
  readonly processes: number;
  /** Files and folders in its home. */
  readonly files: number;
  /** Open descriptors. */
  readonly descriptors: number;
  readonly rssMiB: number;
}

/** Looks at a host by its process id and the folder in which it keeps everything. */
export async function footprint(pid: number, home: string): Promise<Footprint> {
  const [below, files, descriptors, rss] = await Promise.all([
    processesBelow(pid),
    readdir(home, { recursive: true }),
    readdir(join("/proc", String(pid), "fd")),
    rssMiB(pid),
  ]);
  return { processes: below, files: files.length, descriptors: descriptors.length, rssMiB: Number(rss.toFixed(1)) };
}

async function processesBelow(root: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(join("/proc", name, "stat"), "utf8").catch(() => "");
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    if (stat !== "") parents.set(Number(name), parent);
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow).length;
}
