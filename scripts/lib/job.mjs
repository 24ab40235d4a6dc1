// Runs a Node program as the job of this process: same terminal, signals passed on, never left behind.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";

const PARENT_POLL_MS = 1_000;

/**
 * Starts a Node program that ends when this process ends.
 * @param {string} node path of the executable
 * @param {readonly string[]} args options of Node, the program, its arguments
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, stdio: ["ignore" | "inherit", "pipe" | "inherit", "pipe" | "inherit"], detached?: boolean }} options
 */
export function spawnFollower(node, args, { cwd, env, stdio, detached = false }) {
  const preload = new URL("follow-parent.mjs", import.meta.url).href;
  return spawn(node, ["--import", preload, ...args], {
    cwd,
    env: { ...env, COMPUTERAGENT_PARENT_PID: String(process.pid) },
    stdio: [...stdio, "pipe"],
    detached,
  });
}

/**
 * Whether a Ctrl-C of the terminal reaches the child without us: it goes to the whole foreground process group.
 * Passing it on as well would interrupt the job twice.
 */
function inForeground() {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[2] === fields[5];
  } catch {
    return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  }
}

/**
 * Runs the job to its end.
 * @param {string} node
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} its exit code; 128 + the number of the signal that ended it
 */
export function runJob(node, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawnFollower(node, args, { ...options, stdio: ["inherit", "inherit", "inherit"] });
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) {
      process.on(signal, () => {
        if (signal === "SIGINT" && inForeground()) return;
        child.kill(signal);
      });
    }
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/**
 * Ends this process as SIGTERM would once the process that started it is gone.
 * For runs under a package manager, which may be killed without a chance to pass the signal on.
 */
export function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_POLL_MS);
  timer.unref();
}
