import { type ChildProcess, spawn } from "node:child_process";
import { CLI, cleanEnv, ROOT } from "./host-process.ts";

/** What a finished command left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running command. */
export interface Command {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly finished: Promise<Finished>;
}

/** How to start a command. `pty`: on a terminal of its own (stdout and stderr are one then). */
export interface CommandOptions {
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly pty?: boolean;
}

/** Starts `computeragent` with these arguments. */
export function computeragent(args: readonly string[], options: CommandOptions): Command {
  return command(process.execPath, [CLI, ...args], options);
}

/** Starts any program with the clean environment of a test home. */
export function command(file: string, args: readonly string[], options: CommandOptions): Command {
  const quoted = [file, ...args].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" ");
  const [program, list] = options.pty ? ["script", ["-qefc", quoted, "/dev/null"]] : [file, args];
  const child = spawn(program, [...list], {
    cwd: options.cwd ?? ROOT,
    env: cleanEnv(options.home, { TERM: "dumb", ...options.env }),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  if (!options.pty) child.stdin?.end();
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, stdout: () => stdout, stderr: () => stderr, finished };
}
