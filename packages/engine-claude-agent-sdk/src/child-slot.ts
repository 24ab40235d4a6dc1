import type { SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { EngineErrorData } from "@computeragent/protocol";
import type { ChildExit, SupervisedChild, Supervisor } from "@computeragent/supervisor";
import { StderrTail } from "./stderr-tail.ts";
import { StdoutGuard } from "./stdout-guard.ts";

/** Milliseconds that a process may live after it has closed its stdout: nothing of it can be heard any more. */
const MUTE_MS = 2_000;
const MIB = 1024 * 1024;

/** Starts one CLI for the SDK, under the supervisor, and keeps hold of it and of what it says. */
export class ChildSlot {
  readonly stderr = new StderrTail();
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<ChildExit>;
  readonly #end: (exit: ChildExit) => void;
  readonly #supervisor: Supervisor;
  readonly #owner: string;
  readonly #guard: StdoutGuard;
  #child: SupervisedChild | undefined;
  #fault: EngineErrorData | undefined;
  #noise: string | undefined;

  /** `owner`: the id under which the supervisor knows the process and all that it starts. `maxMessageBytes`: of a line. */
  constructor(supervisor: Supervisor, owner: string, maxMessageBytes: number) {
    this.#supervisor = supervisor;
    this.#owner = owner;
    const { promise, resolve } = Promise.withResolvers<ChildExit>();
    this.ended = promise;
    this.#end = resolve;
    const tooLarge = `Claude Code sent a message of more than ${Number((maxMessageBytes / MIB).toFixed(2))} MiB`;
    this.#guard = new StdoutGuard({
      maxLineBytes: maxMessageBytes,
      foreign: (beginning) => {
        this.#noise ??= beginning;
      },
      tooLong: () => this.#fail({ class: "permanent", code: "message_too_large", message: tooLarge }),
    });
  }

  /** For `spawnClaudeCodeProcess`. */
  readonly spawn = ({ command, args, env, cwd = "/" }: SpawnOptions): SpawnedProcess => {
    const child = this.#supervisor.spawn({ sessionId: this.#owner, command, args, cwd, env });
    child.stderr.on("data", (chunk: Buffer) => this.stderr.add(chunk));
    child.exited.then(this.#end);
    child.stdout.pipe(this.#guard);
    child.stdout.once("close", () => this.#muted());
    this.#child = child;
    return heardThrough(child, this.#guard);
  };

  get spawned(): boolean {
    return this.#child !== undefined;
  }

  /** Why the process was killed from here. */
  get fault(): EngineErrorData | undefined {
    return this.#fault;
  }

  /** The beginning of the first line of its stdout that was no message. */
  get noise(): string | undefined {
    return this.#noise;
  }

  /** Leaves unread what the process writes, until the returned function is called. */
  hold(): () => void {
    return this.#guard.hold();
  }

  /** Resolves when the process and all that it started are gone. */
  async stop(interrupt: (() => Promise<void>) | undefined, graceMs: number): Promise<void> {
    await this.#child?.stop({ graceMs, ...(interrupt ? { interrupt } : {}) });
  }

  /** At once. Resolves when everything under the owner's id is gone. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#supervisor.killSession(this.#owner);
  }

  #muted(): void {
    this.#guard.end();
    const message = "Claude Code closed its output and went on running";
    const fail = (): void => this.#fail({ class: "transient", code: "engine_exited", message });
    const timer = setTimeout(fail, MUTE_MS);
    void this.ended.then(() => clearTimeout(timer));
  }

  #fail(fault: EngineErrorData): void {
    this.#fault ??= fault;
    void this.kill().catch(() => {});
  }
}

/** The process as the SDK sees it: with another stdout. */
function heardThrough(child: SupervisedChild, stdout: StdoutGuard): SpawnedProcess {
  return {
    stdin: child.stdin,
    stdout,
    get killed() {
      return child.killed;
    },
    get exitCode() {
      return child.exitCode;
    },
    get signalCode() {
      return child.signalCode;
    },
    kill: (signal) => child.kill(signal),
    on: child.on.bind(child),
    once: child.once.bind(child),
    off: child.off.bind(child),
  };
}
