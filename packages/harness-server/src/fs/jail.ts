import { existsSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, mkdir, readlink } from "node:fs/promises";
import { resolve } from "node:path";
import { WireError } from "@computeragent/protocol";
import { at, dirAt, type Pinned, pinAt, pinDir } from "./descriptors.ts";
import { isErrno } from "./fs-errors.ts";
import { type ByteName, quote, type RelPath, toBytes } from "./rel-path.ts";

const MAX_LINKS = 40;
const MAX_STEPS = 4096;

/** A leaf in a pinned folder. `missing` are the folders between the two that do not exist (yet). Whoever gets it closes `dir`. */
export interface Place {
  readonly dir: FileHandle;
  readonly missing: readonly ByteName[];
  readonly name: ByteName;
}

/**
 * Resolves paths from outside by descriptors, one component at a time, so that nothing swapped in meanwhile leads out.
 * A folder that is moved out of the workspace while an operation holds it stays the folder that is worked on. Linux with /proc.
 */
export class Jail {
  /** The real path of the root at creation; another folder put there later is refused. */
  readonly root: string;
  readonly #prefixes: readonly ByteName[];
  readonly #id: string;

  /** Throws NOT_FOUND when the root is no folder (any more), an ordinary error when the platform has no /proc/self/fd. */
  constructor(root: string) {
    if (process.platform !== "linux" || !existsSync("/proc/self/fd")) {
      throw new Error("Workspace files need Linux with /proc mounted");
    }
    const stat = statSync(root, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isDirectory()) throw rootGone();
    this.root = realpathSync(root);
    this.#id = `${stat.dev}:${stat.ino}`;
    this.#prefixes = [this.root, resolve(root)].map((path) => toBytes(path === "/" ? "/" : `${path}/`));
  }

  /** Pins the deepest folder that exists on the way to a leaf, for a change: no link is followed. Throws VALIDATION for the root. */
  async nearest(path: RelPath): Promise<Place> {
    const name = path.names.at(-1);
    if (name === undefined) throw new WireError("VALIDATION", "The root of the workspace cannot be changed");
    const { here, rest } = await this.#descend(path.names.slice(0, -1), path.shown);
    return { dir: here, missing: rest, name };
  }

  /** Pins the folder of a leaf, for a change: no link is followed. `create` makes the folders that are missing. */
  async place(path: RelPath, create = false): Promise<Place> {
    const { dir, missing, name } = await this.nearest(path);
    let here = dir;
    try {
      if (missing.length > 0 && !create) throw notFound(path.shown);
      for (const part of missing) {
        await mkdir(at(here, part)).catch((error) => {
          if (!isErrno(error, "EEXIST")) throw error;
        });
        const next = await step(here, part, path.shown);
        if (next === "missing") throw notFound(path.shown);
        await here.close();
        here = next;
      }
      return { dir: here, missing: [], name };
    } catch (error) {
      await here.close();
      throw error;
    }
  }

  /** Pins what a path names, for reading: links are followed as long as their targets lie inside. */
  async find(path: RelPath): Promise<Pinned> {
    const refused = (why: string) => new WireError("PATH_ESCAPE", `${quote(path.shown)} ${why}`);
    const todo = [...path.names];
    const done: ByteName[] = [];
    let links = 0;
    let here = await this.#open();
    const go = async (next: FileHandle) => {
      const left = here;
      here = next;
      await left.close();
    };
    try {
      for (let steps = 0; ; steps++) {
        if (steps > MAX_STEPS) throw refused("takes too many steps to resolve");
        const name = todo.shift();
        if (name === undefined) return { pin: here, stat: await here.stat({ bigint: true }) };
        if (name === "..") {
          if (done.pop() === undefined) throw refused("is a link that leaves the workspace");
          steps += done.length;
          await go(await this.#walk(done, path.shown));
          continue;
        }
        const next = await pinAt(here, name);
        if (!next.stat.isSymbolicLink()) {
          await go(next.pin);
          if (todo.length > 0 && !next.stat.isDirectory()) throw notFound(path.shown);
          done.push(name);
          continue;
        }
        await next.pin.close();
        if (++links > MAX_LINKS) throw refused("goes through too many links");
        const target = await linkText(here, name);
        if (target === null) {
          todo.unshift(name);
          continue;
        }
        const inside = target.startsWith("/") ? this.#inside(target) : target;
        if (inside === null) throw refused("is a link that leaves the workspace");
        todo.unshift(...inside.split("/").filter((part) => part !== "" && part !== "."));
        if (target.startsWith("/")) {
          done.length = 0;
          await go(await this.#open());
        }
      }
    } catch (error) {
      await here.close();
      throw error;
    }
  }

  async #open(): Promise<FileHandle> {
    const root = await pinDir(this.root).catch((error) => {
      throw isErrno(error, "ENOENT", "ENOTDIR", "ELOOP") ? rootGone() : error;
    });
    try {
      const stat = await root.stat({ bigint: true });
      if (`${stat.dev}:${stat.ino}` !== this.#id) throw rootGone();
      return root;
    } catch (error) {
      await root.close();
      throw error;
    }
  }

  async #descend(names: readonly ByteName[], shown: string): Promise<{ here: FileHandle; rest: readonly ByteName[] }> {
    let here = await this.#open();
    try {
      for (const [index, name] of names.entries()) {
        const next = await step(here, name, shown);
        if (next === "missing") return { here, rest: names.slice(index) };
        await here.close();
        here = next;
      }
      return { here, rest: [] };
    } catch (error) {
      await here.close();
      throw error;
    }
  }

  async #walk(names: readonly ByteName[], shown: string): Promise<FileHandle> {
    const { here, rest } = await this.#descend(names, shown);
    if (rest.length === 0) return here;
    await here.close();
    throw notFound(shown);
  }

  #inside(target: ByteName): ByteName | null {
    const full = `${target}/`;
    const prefix = this.#prefixes.find((candidate) => full.startsWith(candidate));
    return prefix === undefined ? null : full.slice(prefix.length);
  }
}

async function step(dir: FileHandle, name: ByteName, shown: string): Promise<FileHandle | "missing"> {
  const next = await dirAt(dir, name);
  if (next === "link") throw new WireError("PATH_ESCAPE", `${quote(shown)} goes through a link`);
  if (next === "other") {
    throw new WireError("NOT_A_FILE", `${quote(shown)} goes through something that is not a folder`);
  }
  return next;
}

/** The text of a link; null when it is no link any more. */
async function linkText(dir: FileHandle, name: ByteName): Promise<ByteName | null> {
  try {
    return await readlink(at(dir, name), { encoding: "latin1" });
  } catch (error) {
    if (isErrno(error, "EINVAL")) return null;
    throw error;
  }
}

function notFound(shown: string): WireError {
  return new WireError("NOT_FOUND", `${quote(shown)} does not exist`);
}

function rootGone(): WireError {
  return new WireError("NOT_FOUND", "The workspace folder does not exist");
}
