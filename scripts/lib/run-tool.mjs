// Runs one checking tool in a process group of its own, with a time limit, and leaves nothing of it behind.
import { spawnFollower } from "./job.mjs";

const TERM_GRACE_MS = 5_000;
/** How long output is still awaited from a stray process that outlives its tool. */
const DRAIN_MS = 2_000;
const FINISHED_POLL_MS = 500;

/** @typedef {{ ok: boolean, output: string, ms: number, reason: string }} ToolResult `reason` is empty when ok */

/** @type {Set<number>} */
const groups = new Set();

/**
 * @param {number} group
 * @param {NodeJS.Signals} signal
 */
function signalGroup(group, signal) {
  try {
    process.kill(-group, signal);
  } catch {
    // Nobody is left in it.
  }
}

/** Ends every tool still running; for signal handlers. */
export function killTools() {
  for (const group of groups) signalGroup(group, "SIGKILL");
}

/**
 * Runs a Node program to its end.
 * @param {readonly string[]} args options of Node, the program, its arguments
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, limitMs: number, live?: (text: string) => void, finished?: () => boolean, windDownMs?: number }} options
 *   `live` gets the output as it comes; once `finished` says that the work is done, the tool has `windDownMs` left to end
 * @returns {Promise<ToolResult>}
 */
export function runTool(args, { cwd, env = process.env, limitMs, live, finished, windDownMs = 120_000 }) {
  const start = performance.now();
  return new Promise((resolve) => {
    const child = spawnFollower(process.execPath, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const group = child.pid;
    if (group !== undefined) groups.add(group);
    let output = "";
    let stopped = "";
    /** @param {string} text */
    const take = (text) => {
      if (live === undefined) output = (output + text).slice(-256 * 1024);
      else live(text);
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.stderr?.setEncoding("utf8").on("data", take);
    /** @param {string} reason */
    const stop = (reason) => {
      stopped = reason;
      if (group === undefined) return;
      signalGroup(group, "SIGTERM");
      setTimeout(() => signalGroup(group, "SIGKILL"), TERM_GRACE_MS).unref();
    };
    const limit = setTimeout(() => stop(`took longer than ${limitMs / 1000} s`), limitMs);
    /** @type {NodeJS.Timeout | undefined} */
    let windDown;
    const watch = setInterval(() => {
      if (!finished?.()) return;
      clearInterval(watch);
      windDown = setTimeout(() => stop(`had not ended ${windDownMs / 1000} s after its work was done`), windDownMs);
    }, FINISHED_POLL_MS);
    /** @param {string} reason */
    const finish = (reason) => {
      clearTimeout(limit);
      clearTimeout(windDown);
      clearInterval(watch);
      if (group !== undefined) {
        signalGroup(group, "SIGKILL");
        groups.delete(group);
      }
      child.removeAllListeners("close");
      child.stdout?.removeAllListeners("data").destroy();
      child.stderr?.removeAllListeners("data").destroy();
      resolve({ ok: reason === "", output, ms: performance.now() - start, reason });
    };
    child.on("error", (error) => finish(`cannot be run: ${error.message}`));
    child.on("exit", (code, signal) => {
      const reason = stopped || (code === 0 ? "" : (signal ?? `exit ${code}`));
      const drained = setTimeout(() => finish(reason), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(drained);
        finish(reason);
      });
    });
  });
}
