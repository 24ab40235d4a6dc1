import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A message of the Agent SDK, as far as these tests look at it. */
export interface SdkMessage {
  readonly type: string;
  readonly subtype?: string;
  readonly result?: string;
  readonly is_error?: boolean;
  readonly terminal_reason?: string;
  readonly parent_tool_use_id?: string | null;
  readonly message?: { readonly content: unknown; readonly model?: string };
}

/** The SDK's handle of a running session. */
export interface Query extends AsyncIterable<SdkMessage> {
  interrupt(): Promise<unknown>;
  getContextUsage(options: { detail: "full" }): Promise<{ totalTokens?: number }>;
}

interface Sdk {
  query(request: { prompt: AsyncIterable<unknown>; options: Record<string, unknown> }): Query;
}

const SDK = join(
  import.meta.dirname,
  "../../../engine-claude-agent-sdk/node_modules",
  "@anthropic-ai/claude-agent-sdk/sdk.mjs",
);

/** Whether the real SDK with its binary is installed here. */
export const hasClaude = existsSync(SDK);
if (!hasClaude)
  process.stderr.write("The Claude Agent SDK is not installed: tests with the real binary are skipped.\n");

const loadSdk = async (): Promise<Sdk> => (await import(pathToFileURL(SDK).href)) as Sdk;

/** A private place for one Claude: a folder to work in, and a home. */
export class Place implements AsyncDisposable {
  readonly root: string;
  readonly work: string;

  private constructor(root: string) {
    this.root = root;
    this.work = join(root, "work");
  }

  static async make(): Promise<Place> {
    const place = new Place(await mkdtemp(join(tmpdir(), "broker-claude-")));
    for (const name of ["work", "home/tmp"]) await mkdir(join(place.root, name), { recursive: true });
    return place;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.work, name), "utf8");
  }

  /** Whether a transcript on disk holds a text: a process killed before that has lost it. */
  async recorded(text: string): Promise<boolean> {
    const names = await readdir(this.root, { recursive: true });
    const logs = names.filter((name) => name.endsWith(".jsonl"));
    const texts = await Promise.all(logs.map((name) => readFile(join(this.root, name), "utf8").catch(() => "")));
    return texts.some((log) => log.includes(text));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Where Claude finds its model. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
}

/** One process of Claude Code. Messages pile up in `messages`; `turn()` waits for the next result. */
export class Claude implements AsyncDisposable {
  readonly sessionId: string;
  readonly query: Query;
  readonly messages: SdkMessage[] = [];
  /** Resolves when the process is gone, with its error if it had one. */
  readonly ended: Promise<unknown>;
  readonly #inbox: unknown[] = [];
  readonly #children: ChildProcess[] = [];
  #wake: () => void = () => {};
  #closed = false;
  #seen = 0;

  private constructor(sdk: Sdk, place: Place, endpoint: Endpoint, options: Record<string, unknown>) {
    this.sessionId = typeof options.resume === "string" ? options.resume : randomUUID();
    const start = options.resume === undefined ? { sessionId: this.sessionId } : {};
    const home = join(place.root, "home");
    const env = {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, "config"),
      CLAUDE_CODE_TMPDIR: join(home, "tmp"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "2",
      ANTHROPIC_BASE_URL: endpoint.baseUrl,
      ANTHROPIC_API_KEY: endpoint.token,
    };
    this.query = sdk.query({
      prompt: this.#input(),
      options: {
        cwd: place.work,
        env,
        permissionMode: "default",
        settingSources: [],
        canUseTool: async (_name: string, input: unknown) => ({ behavior: "allow", updatedInput: input }),
        spawnClaudeCodeProcess: (o: { command: string; args: string[]; cwd?: string; env: NodeJS.ProcessEnv }) => {
          const child = spawn(o.command, o.args, {
            cwd: o.cwd,
            env: o.env,
            stdio: ["pipe", "pipe", "ignore"],
            detached: true,
          });
          this.#children.push(child);
          return child;
        },
        ...start,
        ...options,
      },
    });
    this.ended = this.#pump();
  }

  static async start(place: Place, endpoint: Endpoint, options: Record<string, unknown> = {}): Promise<Claude> {
    return new Claude(await loadSdk(), place, endpoint, options);
  }

  say(content: unknown): void {
    this.#inbox.push({ type: "user", message: { role: "user", content }, parent_tool_use_id: null });
    this.#wake();
  }

  /** Waits for a message that fits and was not waited for before. */
  async until(fits: (message: SdkMessage) => boolean): Promise<SdkMessage> {
    for (;;) {
      for (; this.#seen < this.messages.length; this.#seen++) {
        const message = this.messages[this.#seen];
        if (message && fits(message)) {
          this.#seen++;
          return message;
        }
      }
      if (this.#closed) throw new Error(`Claude ended first: ${String(await this.ended)}`);
      await new Promise<void>((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends a message, if one is given, and waits for the result of the turn. */
  turn(content?: unknown): Promise<SdkMessage> {
    if (content !== undefined) this.say(content);
    return this.until((message) => message.type === "result");
  }

  /** kill -9, and waits until it is gone. */
  async kill(): Promise<void> {
    for (const child of this.#children) if (child.pid !== undefined && child.exitCode === null) child.kill("SIGKILL");
    await this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#wake();
    const late = setTimeout(() => void this.kill(), 5000);
    await this.ended;
    clearTimeout(late);
  }

  async #pump(): Promise<unknown> {
    try {
      for await (const message of this.query) this.messages.push(message);
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#closed = true;
    }
  }

  async *#input(): AsyncGenerator<unknown> {
    for (;;) {
      while (this.#inbox.length > 0) yield this.#inbox.shift();
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** The blocks of one kind in the assistant's messages. */
export function blocks(messages: readonly SdkMessage[], type: string): Record<string, unknown>[] {
  return messages
    .filter((message) => message.type === "assistant" || message.type === "user")
    .flatMap((message) => (Array.isArray(message.message?.content) ? message.message.content : []))
    .filter((block: { type?: string }) => block.type === type);
}
