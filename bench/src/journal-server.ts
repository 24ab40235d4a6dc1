import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { createHarnessServer } from "@computeragent/harness-server";
import type { EngineContext, EngineDriver, EngineEvent, EngineSession } from "@computeragent/protocol";
import { z } from "zod";

/**
 * The journal's path and nothing else: the real server with an engine that costs next to nothing. Each message of a session is a
 * number of events, as many ready-made messages of 80 bytes as it says.
 */
const READY = { type: "piece", text: "x".repeat(80 - '{"type":"piece","text":""}'.length) };
/** Like an engine that reads a pipe: now and then it lets others run. */
const BREATHE_EVERY = 256;

async function* events(context: EngineContext): AsyncGenerator<EngineEvent> {
  for await (const input of context.input) {
    const count = Number(input.messages[0]?.content);
    for (let i = 0; i < count; i++) {
      yield { kind: "message", payload: READY };
      if (i % BREATHE_EVERY === BREATHE_EVERY - 1) await nextTick();
    }
    yield { kind: "turn_end", turnId: input.turnId, reason: "complete" };
  }
}

const engine: EngineDriver = {
  name: "ready-made",
  capabilities: ["streaming_input"],
  optionsSchema: z.unknown(),
  needsModel: false,
  version: async () => null,
  startSession: (context): EngineSession => {
    const source = events(context);
    const stop = async (): Promise<void> => {};
    return { [Symbol.asyncIterator]: () => source, interrupt: stop, close: stop, kill: stop };
  },
};

const dir = await mkdtemp(join(tmpdir(), "ca-bench-"));
const server = await createHarnessServer({
  engines: [engine],
  identityLoaders: [],
  dataDir: dir,
  auth: null,
  allowWorkspaces: [tmpdir()],
  limits: { maxReaders: 1000 },
});
const { url } = await server.listen({ host: "127.0.0.1", port: 0 });
console.log(`listening on ${url}`);
process.once("SIGTERM", () => void server.close().then(() => rm(dir, { recursive: true, force: true })));
