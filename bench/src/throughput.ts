import { tmpdir } from "node:os";
import { createSession, mockSession, postJson } from "./http.ts";
import { here, NODE, startReaders, startServer } from "./processes.ts";
import { serve } from "./serve.ts";
import { median, round } from "./statistics.ts";

/** One burst to all readers. */
interface Burst {
  readonly seconds: number;
  readonly lost: number;
}

/** A server with its readers, ready for bursts. */
interface Stand {
  burst(): Promise<Burst>;
  stop(): Promise<void>;
}

/** What is to be delivered in one burst. */
export interface Load {
  readonly readers: number;
  readonly events: number;
}

/** Bytes of every event's data in the raw loop and on the journal's path; bytes of text with the mock engine. */
const BYTES = 80;
/** Bursts of one round; the first ones only warm the processes up. */
const BURSTS = 16;
const WARM_UP = 6;
/**
 * Raw loop, journal path in memory and on the disk, and whole host. All of them stand at once and have their bursts in turns, one at a time: a machine that is
 * faster now than a second ago is so for each. Ratios are medians of the ratios of bursts that followed each other.
 */
export async function throughput(load: Load, rounds: number): Promise<object> {
  const bytes = await frameBytes();
  const ways: Record<string, () => Promise<Stand>> = {
    raw: () => rawLoop(load, BYTES),
    journal: () => journalPath(load),
    sqlite: () => journalPath(load, ["sqlite"]),
    rawSameFrames: () => rawLoop(load, bytes),
    mockEngine: () => mockEngine(load),
  };
  const seen = new Map<string, Burst[]>(Object.keys(ways).map((name) => [name, []]));
  for (let turn = 0; turn < rounds; turn++) {
    const stands = new Map<string, Stand>();
    for (const [name, open] of Object.entries(ways)) stands.set(name, await open());
    for (let i = 0; i < BURSTS; i++) {
      for (const [name, stand] of stands) {
        const { seconds, lost } = await stand.burst();
        // What is lost is lost in the warm-up too.
        seen.get(name)?.push({ seconds: i < WARM_UP ? Number.NaN : seconds, lost });
      }
    }
    for (const stand of stands.values()) await stand.stop();
  }
  const secondsOf = (name: string): number[] => (seen.get(name) ?? []).map(({ seconds }) => seconds);
  const rate = (name: string): number => {
    const warm = secondsOf(name).filter((seconds) => !Number.isNaN(seconds));
    return Math.round((load.events * load.readers) / median(warm));
  };
  const ratio = (name: string, to: string): number => {
    const others = secondsOf(to);
    const ratios = secondsOf(name).map((seconds, i) => (others[i] ?? Number.NaN) / seconds);
    return round(median(ratios.filter((value) => !Number.isNaN(value))));
  };
  const lost = (name: string): number => (seen.get(name) ?? []).reduce((sum, burst) => sum + burst.lost, 0);
  return {
    ...load,
    bursts: rounds * (BURSTS - WARM_UP),
    deliveriesPerSecond: Object.fromEntries(Object.keys(ways).map((name) => [name, rate(name)])),
    journalToRaw: ratio("journal", "raw"),
    sqliteToRaw: ratio("sqlite", "raw"),
    mockEngineToRawSameFrames: ratio("mockEngine", "rawSameFrames"),
    lost: lost("journal") + lost("sqlite") + lost("mockEngine"),
  };
}

async function rawLoop(load: Load, bytes: number): Promise<Stand> {
  const server = await startServer([...NODE, here("raw-server.ts")], "/");
  const send = () => fetch(`${server.url}/go?n=${load.events}&bytes=${bytes}`, { method: "POST" });
  return await stand(`${server.url}/events`, "end", load, { send, stop: server.stop });
}

async function journalPath(load: Load, args: readonly string[] = []): Promise<Stand> {
  const server = await startServer([...NODE, here("journal-server.ts"), ...args], "/v1/health");
  const id = await createSession(server.url, { engine: "ready-made", workspace: { type: "local", path: tmpdir() } });
  const send = () => say(server.url, id, String(load.events));
  const url = `${server.url}/v1/sessions/${id}/events`;
  return await stand(url, "ca_turn_ended", load, { send, stop: server.stop });
}

async function mockEngine(load: Load): Promise<Stand> {
  const host = await serve({ maxReaders: 1000 });
  const id = await mockSession(host);
  const send = () => say(host.url, id, `!stream ${load.events} ${BYTES} 0`);
  const url = `${host.url}/v1/sessions/${id}/events`;
  return await stand(url, "ca_turn_ended", load, { send, stop: () => host.stop() });
}

async function stand(
  url: string,
  end: string,
  { readers, events }: Load,
  { send, stop }: { readonly send: () => Promise<unknown>; readonly stop: () => Promise<void> },
): Promise<Stand> {
  const { next } = await startReaders(url, readers, { end, ends: BURSTS });
  return {
    stop,
    async burst() {
      const startedAt = Date.now();
      const sent = send();
      const seen = await next();
      await sent;
      return { seconds: (seen.at - startedAt) / 1000, lost: seen.missing + Math.max(0, events - seen.least) };
    },
  };
}

function say(url: string, id: string, content: string): Promise<unknown> {
  return postJson(`${url}/v1/sessions/${id}/messages`, { message: { role: "user", content } });
}

/** Bytes of the data of one of the host's frames that carry a piece of text of the mock engine. */
async function frameBytes(): Promise<number> {
  const host = await serve();
  try {
    const id = await mockSession(host);
    await say(host.url, id, `!stream 64 ${BYTES} 0`);
    const stream = await fetch(`${host.url}/v1/sessions/${id}/events`);
    let text = "";
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString();
      const line = /^data: (.*content_block_delta.*)$/m.exec(text)?.[1];
      if (line !== undefined && text.includes("ca_turn_ended")) return Buffer.byteLength(line);
    }
    throw new Error("no piece of text came");
  } finally {
    await host.stop();
  }
}
