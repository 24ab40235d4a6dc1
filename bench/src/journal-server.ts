import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { createHarnessServer } from "@computeragent/harness-server";
import { createSqliteJournal } from "@computeragent/journal-sqlite";
import type {
  EngineContext,
  EngineDriver,
  EngineEvent,
  EngineInput,
  EngineSession,
  JsonObject,
} from "@computeragent/protocol";
import { z } from "zod";

/**
 * The journal's path and nothing else: the real server with an engine that costs next to nothing. Each message of a session is a
 * number of events, as many ready-made messages of 80 bytes as it says. With the argument `sqlite` they go to the disk.
 */
const READY: JsonObject = JSON.parse(JSON.stringify({ type: "piece", text: "x".repeat(80 - 26) }));
const PIECE = Promise.resolve<IteratorResult<EngineEvent>>({ done: false, value: { kind: "message", payload: READY } });
/** Like an engine that reads a pipe: now and then it lets others run. */
const BREATHE_EVERY = 256;

/** Yields what each input asks for; by hand, as a generator costs more than what is measured. */
class ReadyMade implements AsyncIterator<EngineEvent> {
  readonly #inputs: AsyncIterator<EngineInput>;
  #turnId = "";
  #left = 0;

  constructor(context: EngineContext) {
    this.#inputs = context.input[Symbol.asyncIterator]();
  }

  next(): Promise<IteratorResult<EngineEvent>> {
    if (this.#left <= 0) return this.#nextInput();
    if (--this.#left === 0) return this.#end();
    return this.#left % BREATHE_EVERY === 0 ? nextTick().then(() => PIECE) : PIECE;
  }

  async #nextInput(): Promise<IteratorResult<EngineEvent>> {
    const input = await this.#inputs.next();
    if (input.done) return { done: true, value: undefined };
    this.#turnId = input.value.turnId;
    this.#left = Number(input.value.messages[0]?.content) + 1;
    return this.next();
  }

  async #end(): Promise<IteratorResult<EngineEvent>> {
    return { done: false, value: { kind: "turn_end", turnId: this.#turnId, reason: "complete" } };
  }
}

const engine: EngineDriver = {
  name: "ready-made",
  capabilities: ["streaming_input"],
  optionsSchema: z.unknown(),
  needsModel: false,
  version: async () => null,
  startSession: (context): EngineSession => {
    const source = new ReadyMade(context);
    const stop = async (): Promise<void> => {};
    return { [Symbol.asyncIterator]: () => source, interrupt: stop, close: stop, kill: stop };
  },
};

const dir = await mkdtemp(join(tmpdir(), "ca-bench-"));
const journal = process.argv[2] === "sqlite" ? await createSqliteJournal({ path: join(dir, "journal.db") }) : undefined;
const server = await createHarnessServer({
  ...(journal ? { journal } : {}),
  engines: [engine],
  identityLoaders: [],
  dataDir: dir,
  auth: null,
  allowWorkspaces: [tmpdir()],
  limits: { maxReaders: 1000 },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`listening on ${url}`);
process.once("SIGTERM", async () => {
  await server.close();
  await journal?.close();
  await rm(dir, { recursive: true, force: true });
});
