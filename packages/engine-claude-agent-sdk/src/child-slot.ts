import type { SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { ChildExit, SupervisedChild, Supervisor } from "@computeragent/supervisor";
import { StderrTail } from "./stderr-tail.ts";

/** Starts one CLI for the SDK, under the supervisor, and keeps hold of it. */
export class ChildSlot {
  readonly stderr = new StderrTail();
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<ChildExit>;
  readonly #end: (exit: ChildExit) => void;
  readonly #supervisor: Supervisor;
  readonly #owner: string;
  #child: SupervisedChild | undefined;

  /** `owner`: the id under which the supervisor knows the process and all that it starts. */
  constructor(supervisor: Supervisor, owner: string) {
    this.#supervisor = supervisor;
    this.#owner = owner;
    const { promise, resolve } = Promise.withResolvers<ChildExit>();
    this.ended = promise;
    this.#end = resolve;
  }

  /** For `spawnClaudeCodeProcess`. */
  readonly spawn = ({ command, args, env, cwd = "/" }: SpawnOptions): SupervisedChild => {
    const child = this.#supervisor.spawn({ sessionId: this.#owner, command, args, cwd, env });
    child.stderr.on("data", (chunk: Buffer) => this.stderr.add(chunk));
    child.exited.then(this.#end);
    this.#child = child;
    return child;
  };

  get spawned(): boolean {
    return this.#child !== undefined;
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
}
