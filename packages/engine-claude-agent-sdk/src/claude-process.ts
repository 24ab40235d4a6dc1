import type { Options, Query, SDKUserMessage, SpawnedProcess, SpawnOptions } from "@anthropic-ai/claude-agent-sdk";
import type { EngineErrorData, JsonObject } from "@computeragent/protocol";
import type { SupervisedChild, Supervisor } from "@computeragent/supervisor";
import { AsyncQueue } from "./async-queue.ts";
import { describeExit } from "./exit-error.ts";
import type { Sdk } from "./sdk.ts";
import { StderrTail } from "./stderr-tail.ts";

/** What a process is started with. */
export interface ProcessRequest {
  readonly sdk: Sdk;
  readonly supervisor: Supervisor;
  readonly sessionId: string;
  readonly options: Options;
  readonly startTimeoutMs: number;
  /** Values that must not stand in an error message. */
  readonly secrets: readonly string[];
}

/** Milliseconds that the SDK has to notice that its process is gone. */
const SDK_GRACE_MS = 2_000;
/** Milliseconds of each polite step of a stop. */
const STOP_STEP_MS = 1_000;

/** One CLI process and the SDK's end of it. */
export class ClaudeProcess {
  readonly #request: ProcessRequest;
  readonly #prompt = new AsyncQueue<SDKUserMessage>();
  readonly #query: Query;
  readonly #stderr: StderrTail;
  #child: SupervisedChild | undefined;
  #answered = false;
  #timedOut = false;

  /** Spawns. Throws what the SDK throws if there is nothing to spawn. */
  constructor(request: ProcessRequest) {
    this.#request = request;
    this.#stderr = new StderrTail(request.secrets);
    const options: Options = { ...request.options, spawnClaudeCodeProcess: (spawn) => this.#spawn(spawn) };
    this.#query = request.sdk.query({ prompt: this.#prompt, options });
  }

  /** Every message, in order; to be iterated once. Ends when the process is gone. Never throws: returns why it ended, undefined if as asked. */
  async *messages(): AsyncGenerator<JsonObject, EngineErrorData | undefined> {
    const timer = setTimeout(() => this.#startTimedOut(), this.#request.startTimeoutMs);
    this.#query.initializationResult().then(
      () => clearTimeout(timer),
      () => {},
    );
    let thrown: unknown;
    try {
      for await (const message of this.#query) {
        clearTimeout(timer);
        this.#answered = true;
        // A message is a parsed line of the CLI.
        yield message as unknown as JsonObject;
      }
    } catch (error) {
      thrown = error;
    } finally {
      clearTimeout(timer);
      this.#query.close();
    }
    const exit = await this.#child?.exited;
    return describeExit({
      ...(exit ? { exit } : {}),
      thrown,
      answered: this.#answered,
      timedOut: this.#timedOut,
      stderr: this.#stderr.text,
      secrets: this.#request.secrets,
    });
  }

  /** Hands a message over. */
  send(message: SDKUserMessage): void {
    this.#prompt.push(message);
  }

  /** No more messages come: the process ends after what it has. */
  finish(): void {
    this.#prompt.end();
  }

  /** Ends the running turn and what is queued behind it. Resolves when the CLI has taken it, or is gone. */
  async interrupt(): Promise<void> {
    // The SDK knows this argument, its types do not: without it, queued messages would run after the interrupt.
    const interrupt: (options: { cancelQueued: true }) => Promise<unknown> = this.#query.interrupt.bind(this.#query);
    await interrupt({ cancelQueued: true }).catch(() => {});
  }

  /** Interrupts, closes and, if need be, kills. Resolves when the process and all that it started are gone. */
  async stop(): Promise<void> {
    await this.#child?.stop({ interrupt: () => this.interrupt(), graceMs: STOP_STEP_MS });
    this.#prompt.end();
    this.#query.close();
  }

  #spawn(spawn: SpawnOptions): SpawnedProcess {
    const { supervisor, sessionId } = this.#request;
    const { command, args, env, cwd = this.#request.options.cwd ?? "/" } = spawn;
    const child = supervisor.spawn({ sessionId, command, args, cwd, env });
    this.#child = child;
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    child.exited.then(() => setTimeout(() => this.#query.close(), SDK_GRACE_MS).unref());
    return child;
  }

  #startTimedOut(): void {
    this.#timedOut = true;
    this.#child?.kill("SIGKILL");
  }
}
