// One set-up at a time in a checkout: a lock file that names its holder, so that a dead holder's lock can be taken.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";

const POLL_MS = 200;
const TOUCH_MS = 10_000;
/** A holder on another host (a container that shares the folder) cannot be asked for; it shows life by touching the file. */
const FOREIGN_STALE_MS = 60_000;

/** @typedef {{ pid: number, started: string | undefined, host: string, token: string }} Holder */

/**
 * When a process began, in the kernel's own unit: tells a process from a later one with the same pid.
 * @param {number} pid
 */
export function processStart(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/**
 * Whether a lock's holder is gone.
 * @param {Holder | undefined} holder undefined for a file that cannot be understood
 * @param {number} ageMs since the file was last touched
 */
export function isStale(holder, ageMs) {
  if (holder === undefined || holder.host !== hostname()) return ageMs > FOREIGN_STALE_MS;
  if (!isAlive(holder.pid)) return true;
  return holder.started !== undefined && processStart(holder.pid) !== holder.started;
}

/**
 * @param {string} path
 * @returns {{ holder: Holder | undefined, text: string, ageMs: number } | undefined} undefined if there is no lock
 */
function readLock(path) {
  try {
    const text = readFileSync(path, "utf8");
    const ageMs = Date.now() - statSync(path).mtimeMs;
    try {
      return { holder: JSON.parse(text), text, ageMs };
    } catch {
      return { holder: undefined, text, ageMs };
    }
  } catch {
    return undefined;
  }
}

/**
 * Puts a finished file in place if the name is free; a link appears whole or not at all.
 * @param {string} path
 * @param {Holder} holder
 */
function tryCreate(path, holder) {
  const draft = `${path}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Moves a stale lock aside. If another process was faster and a live lock got moved, it is put back.
 * @param {string} path
 * @param {string} staleText
 * @param {string} token
 */
function removeStale(path, staleText, token) {
  const aside = `${path}.${token}.stale`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== staleText) linkSync(aside, path);
  } catch {
    // Gone already, or taken anew: the next round sees which.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** @type {Set<() => void>} */
const held = new Set();

/** Gives back every lock of this process; for signal handlers. */
export function releaseAll() {
  for (const release of held) release();
}

/**
 * Runs work while holding the lock, waiting for a live holder to finish first.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(pid: number | undefined) => void} [onWait] called once if another holder is waited for
 */
export async function withLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  const token = `${process.pid}-${Math.random().toString(36).slice(2)}`;
  const holder = { pid: process.pid, started: processStart(process.pid), host: hostname(), token };
  let told = false;
  while (!tryCreate(path, holder)) {
    const found = readLock(path);
    if (found === undefined) continue;
    if (isStale(found.holder, found.ageMs)) {
      removeStale(path, found.text, token);
      continue;
    }
    if (!told) onWait?.(found.holder?.pid);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => {
    held.delete(release);
    if (readLock(path)?.holder?.token === token) rmSync(path, { force: true });
  };
  held.add(release);
  const touch = setInterval(() => {
    try {
      utimesSync(path, new Date(), new Date());
    } catch {
      // Someone removed the folder; the work itself will notice.
    }
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    release();
  }
}
