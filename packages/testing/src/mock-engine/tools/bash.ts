import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TurnScope } from "../turn-scope.ts";
import { textOf } from "./input.ts";
import { OutputBuffer } from "./output-buffer.ts";
import type { Tool } from "./tool.ts";

const SHELL = "/bin/sh";
const GROUP_END_MS = 200;

function environment(turn: TurnScope): Record<string, string> {
  const { home, tmp, envs } = turn.context;
  const path = process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin";
  return { PATH: path, HOME: home, TMPDIR: tmp, LANG: "C.UTF-8", ...envs, ...turn.childEnv };
}

function killGroup(pid: number): boolean {
  try {
    process.kill(-pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

/** Kills what is left of a process group and waits until it is gone (not longer than 200 ms: the dead may wait for a parent to reap them). */
async function endGroup(pid: number): Promise<void> {
  for (let waited = 0; killGroup(pid) && waited < GROUP_END_MS; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function started(child: ChildProcess): Promise<number> {
  await Promise.race([once(child, "spawn"), once(child, "error").then(([error]) => Promise.reject(error))]);
  if (child.pid === undefined) throw new Error("the shell has no process id");
  return child.pid;
}

/** Runs a command in a process group of its own, which ends with the command: no background process stays. */
export const bash: Tool = async (input, turn) => {
  const child = spawn(SHELL, ["-c", textOf(input, "command")], {
    cwd: turn.context.workspace,
    env: environment(turn),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout = new OutputBuffer(child.stdout);
  const stderr = new OutputBuffer(child.stderr);
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  exit.catch(() => {});
  const pid = await started(child);
  const kill = (): void => void killGroup(pid);
  turn.signal.addEventListener("abort", kill, { once: true });
  if (turn.signal.aborted) kill();
  const [code, signal] = await exit;
  turn.signal.removeEventListener("abort", kill);
  await endGroup(pid);
  await Promise.all([stdout.settled(), stderr.settled()]);
  turn.signal.throwIfAborted();
  const detail = { stdout: stdout.text(), stderr: stderr.text(), interrupted: false };
  const output = [detail.stdout, detail.stderr].filter((text) => text !== "").join("\n");
  if (code === 0) return { text: output, detail };
  const reason = signal ? `Killed by ${signal}` : `Exit code ${code}`;
  return { text: output === "" ? reason : `${reason}\n${output}`, isError: true, detail };
};
