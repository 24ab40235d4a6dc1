import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Authorization,
  EngineContext,
  EngineDriver,
  EngineEvent,
  EngineSession,
  EngineState,
  ToolCall,
} from "@computeragent/protocol";
import { eventually, within } from "../contract/within.ts";
import { InputQueue } from "./input-queue.ts";

const PATIENCE_MS = 60_000;

/** A `turn_end` of an engine. */
export type TurnEnd = Extract<EngineEvent, { kind: "turn_end" }>;

/** What a bed is made with; the rest of the context has harmless defaults. */
export interface BedOptions {
  readonly context?: Partial<EngineContext>;
  /** Default: allows everything unchanged. */
  readonly authorize?: (call: ToolCall) => Authorization | Promise<Authorization>;
  /** Folders of an earlier bed, to resume in. */
  readonly root?: string;
}

/** One session of an engine in folders of its own, read in the background as a host would. */
export interface EngineBed {
  readonly session: EngineSession;
  readonly context: EngineContext;
  /** Folder that holds workspace, home and tmp. */
  readonly root: string;
  readonly events: readonly EngineEvent[];
  readonly calls: readonly ToolCall[];
  /** Hands a message over; returns its turn id. Steers take the id of the turn they are meant for. */
  send(text: string, steerInto?: string): string;
  endInput(): void;
  /** Starts reading, as `send` does by itself. */
  start(): void;
  /** The end of a turn. Rejects when the iteration ends first. */
  turnEnd(turnId: string): Promise<TurnEnd>;
  turnEnds(): TurnEnd[];
  state(): EngineState | undefined;
  /** Settles when the iteration has ended: rejects with its error. */
  finished(): Promise<void>;
  /** Kills the session and removes the folders, unless `keep`. */
  dispose(keep?: boolean): Promise<void>;
}

/** Starts a session of a driver for a test. */
export async function openEngineBed(driver: EngineDriver, options: BedOptions = {}): Promise<EngineBed> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "ca-engine-")));
  const dirs = { workspace: join(root, "workspace"), home: join(root, "home"), tmp: join(root, "tmp") };
  for (const dir of Object.values(dirs)) await mkdir(dir, { recursive: true });
  const input = new InputQueue();
  const calls: ToolCall[] = [];
  const context: EngineContext = {
    sessionId: `sess_${root.slice(-6)}`,
    ...dirs,
    envs: {},
    model: { fallbacks: [] },
    profile: {},
    options: driver.optionsSchema.parse({}),
    access: "full",
    permissionMode: "ask",
    includePartials: false,
    input,
    signal: new AbortController().signal,
    ...options.context,
    authorize: async (call) => {
      calls.push(call);
      return (await options.authorize?.(call)) ?? { behavior: "allow", input: call.input };
    },
  };
  return new Bed(driver.startSession(context), context, root, input, calls);
}

class Bed implements EngineBed {
  readonly session: EngineSession;
  readonly context: EngineContext;
  readonly root: string;
  readonly calls: ToolCall[];
  readonly events: EngineEvent[] = [];
  readonly #input: InputQueue;
  #reading: Promise<void> | null = null;
  #over = false;
  #turns = 0;

  constructor(session: EngineSession, context: EngineContext, root: string, input: InputQueue, calls: ToolCall[]) {
    this.session = session;
    this.context = context;
    this.root = root;
    this.calls = calls;
    this.#input = input;
  }

  send(text: string, steerInto?: string): string {
    const turnId = steerInto ?? `turn_${++this.#turns}`;
    const delivery = steerInto ? "steer" : "queue";
    const messages = [{ role: "user" as const, content: text }];
    this.#input.put({ turnId, messageIds: [`msg_${turnId}_${delivery}`], messages, delivery });
    this.start();
    return turnId;
  }

  endInput(): void {
    this.#input.end();
  }

  start(): void {
    this.#reading ??= this.#read().finally(() => {
      this.#over = true;
    });
    this.#reading.catch(() => {});
  }

  async turnEnd(turnId: string): Promise<TurnEnd> {
    const found = (): TurnEnd | undefined => this.turnEnds().find((end) => end.turnId === turnId);
    await eventually(PATIENCE_MS, `the end of ${turnId}`, () => found() !== undefined || this.#over);
    const end = found();
    if (end) return end;
    await this.#reading;
    throw new Error(`the iteration ended before ${turnId} did`);
  }

  turnEnds(): TurnEnd[] {
    return this.events.filter((event) => event.kind === "turn_end");
  }

  state(): EngineState | undefined {
    return this.events.findLast((event) => event.kind === "state")?.state;
  }

  async finished(): Promise<void> {
    this.start();
    await within(PATIENCE_MS, "the end of the iteration", this.#reading ?? Promise.resolve());
  }

  async dispose(keep = false): Promise<void> {
    this.#input.end();
    await within(PATIENCE_MS, "kill", this.session.kill());
    if (!keep) await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }

  async #read(): Promise<void> {
    for await (const event of this.session) this.events.push(event);
  }
}
