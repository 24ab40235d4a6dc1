import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server process that printed where it listens. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the spawn to the first answer of its health route. */
  readonly healthyMs: number;
  stop(): Promise<void>;
}

/** Node as the launcher starts a host. */
export const NODE: readonly string[] = [process.execPath, "--min-semi-space-size=16"];

/** Path of a file beside this one. */
export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Starts a server, a script of Node or a program, and waits until it answers. */
export async function startServer(
  args: readonly string[],
  healthPath: string,
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const [program = "", ...rest] = /\.m?[jt]s$/.test(args[0] ?? "") ? [process.execPath, ...args] : args;
  const child = spawn(program, rest, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const url = await lineMatching(child, /listening on (http:\S+)/);
  await untilAnswered(`${url}${healthPath}`);
  const healthyMs = performance.now() - startedAt;
  return { url, pid: child.pid ?? 0, healthyMs, stop: () => ended(child, "SIGTERM") };
}

/** Resolves when a GET of the address succeeds. */
export async function untilAnswered(url: string): Promise<void> {
  const ok = () =>
    fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await ok())) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** What all readers of a process saw until an end event. */
export interface Seen {
  /** When the last reader had it, in ms since the epoch. */
  readonly at: number;
  /** Frames at the reader that got fewest, and at the one that got most. */
  readonly least: number;
  readonly most: number;
  /** Ids that did not come, over all readers. */
  readonly missing: number;
}

/** Starts readers in a process of their own, which end after `ends` end events. `next` resolves when all of them saw one. */
export async function startReaders(
  url: string,
  count: number,
  { end, ends }: { readonly end: string; readonly ends: number },
): Promise<{ readonly next: () => Promise<Seen> }> {
  const child = spawn(process.execPath, [here("readers.ts"), url, String(count), end, String(ends)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.value !== "ready") throw new Error(`the readers did not start: ${first.value}`);
  return { next: () => lines.next().then((line) => JSON.parse(String(line.value))) };
}

/** Resident memory in MiB. */
export async function rssMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

async function lineMatching(child: ChildProcess, pattern: RegExp): Promise<string> {
  if (!child.stdout) throw new Error("no output to read");
  for await (const line of createInterface({ input: child.stdout })) {
    const match = pattern.exec(line);
    if (match?.[1]) {
      child.stdout.resume();
      return match[1];
    }
  }
  throw new Error("the server ended before it listened");
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
