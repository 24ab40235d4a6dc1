// Runs a command of the set-up (npm, pnpm, tsc) with its output held back until it fails.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A failure that is told to the person as it is, without a stack. */
export class SetupError extends Error {}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Ends every command still running; for signal handlers. */
export function killRunning() {
  for (const child of running) child.kill("SIGKILL");
}

/**
 * The first executable of that name on a PATH.
 * @param {string} name
 * @param {string | undefined} [path]
 */
export function which(name, path = process.env.PATH) {
  for (const dir of (path ?? "").split(delimiter)) {
    if (dir === "") continue;
    try {
      accessSync(join(dir, name), constants.X_OK);
      return join(dir, name);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * A command line that dies with its parent where the system can do that: a set-up that is killed must not leave an
 * installer behind that writes into a folder which the next set-up believes to be its own.
 * @param {string} file
 * @param {readonly string[]} args
 */
function tied(file, args) {
  const setpriv = process.platform === "linux" ? which("setpriv") : undefined;
  return setpriv === undefined
    ? { file, args: [...args] }
    : { file: setpriv, args: ["--pdeathsig", "KILL", file, ...args] };
}

/** @param {string} output */
const looksOffline = (output) =>
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|error sending request|dns error/i.test(output);

/**
 * Runs a command to its end.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, what: string, report: import("./report.mjs").Report, note?: (line: string) => void }} options
 *   `what` names the job in the error; `note` gets the latest line of output
 * @returns {Promise<string>} its output, stdout and stderr mixed
 * @throws {SetupError} with the end of the output when it fails
 */
export function runCommand(file, args, { cwd, env, what, report, note }) {
  const line = tied(file, args);
  return new Promise((resolve, reject) => {
    const child = spawn(line.file, line.args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    running.add(child);
    let output = "";
    /** @param {string} text */
    const take = (text) => {
      output = (output + text).slice(-64 * 1024);
      if (report.verbose) report.write(text);
      const latest = text.trimEnd().split("\n").at(-1)?.trim();
      if (latest) note?.(latest);
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => {
      running.delete(child);
      reject(new SetupError(`${what}: cannot run ${file}: ${error.message}`));
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      if (code === 0) return resolve(output);
      const shown = report.verbose ? "" : `\n${output.trimEnd().split("\n").slice(-60).join("\n")}`;
      const hint = looksOffline(output)
        ? "\nThe npm registry could not be reached: check the network or the proxy, then try again."
        : "";
      reject(new SetupError(`${what} failed (${signal ?? `exit ${code}`})${shown}${hint}`));
    });
  });
}
