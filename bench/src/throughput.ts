import { tmpdir } from "node:os";
import { createSession, mockSession, postJson } from "./http.ts";
import { here, type Seen, startReaders, startServer } from "./processes.ts";
import { serve } from "./serve.ts";
import { median, round } from "./statistics.ts";

/** Deliveries per second of one way to serve. */
interface Rate {
  readonly deliveriesPerSecond: number;
  readonly lost: number;
}

/** One way to serve: boots, sends `events` a burst to `readers`, and stops. */
type Way = (load: Load) => Promise<Rate>;

/** What is to be delivered in one burst. */
export interface Load {
  readonly readers: number;
  readonly events: number;
}

/** Bytes of every event's data in the raw loop and on the journal's path; bytes of text with the mock engine. */
const BYTES = 80;
/** Bursts of one round; the first ones only warm the process up. */
const BURSTS = 12;
const WARM_UP = 6;

/** Raw loop, journal path and whole host, in turns within one run, so that all meet the same machine. */
export async function throughput(load: Load, rounds: number): Promise<object> {
  const ways: Record<string, { way: Way; rates: Rate[] }> = {
    raw: { way: rawLoop(BYTES), rates: [] },
    journal: { way: journalPath, rates: [] },
    rawSameFrames: { way: rawLoop(await frameBytes()), rates: [] },
    mockEngine: { way: mockEngine, rates: [] },
  };
  for (let i = 0; i < rounds; i++) for (const { way, rates } of Object.values(ways)) rates.push(await way(load));
  const rate = (name: string): number => median(ways[name]?.rates.map((r) => r.deliveriesPerSecond) ?? []);
  const lost = (name: string): number => ways[name]?.rates.reduce((sum, r) => sum + r.lost, 0) ?? Number.NaN;
  return {
    ...load,
    rounds,
    deliveriesPerSecond: Object.fromEntries(Object.keys(ways).map((name) => [name, Math.round(rate(name))])),
    journalToRaw: round(rate("journal") / rate("raw")),
    mockEngineToRawSameFrames: round(rate("mockEngine") / rate("rawSameFrames")),
    lost: lost("journal") + lost("mockEngine"),
  };
}

function rawLoop(bytes: number): Way {
  return async (load) => {
    const server = await startServer([here("raw-server.ts")], "/");
    const send = () => fetch(`${server.url}/go?n=${load.events}&bytes=${bytes}`, { method: "POST" });
    try {
      return await bursts(`${server.url}/events`, "end", load, send);
    } finally {
      await server.stop();
    }
  };
}

async function journalPath(load: Load): Promise<Rate> {
  const server = await startServer([here("journal-server.ts")], "/v1/health");
  const id = await createSession(server.url, { engine: "ready-made", workspace: { type: "local", path: tmpdir() } });
  const send = () => say(server.url, id, String(load.events));
  try {
    return await bursts(`${server.url}/v1/sessions/${id}/events`, "ca_turn_ended", load, send);
  } finally {
    await server.stop();
  }
}

async function mockEngine(load: Load): Promise<Rate> {
  const host = await serve({ maxReaders: 1000 });
  const id = await mockSession(host);
  const send = () => say(host.url, id, `!stream ${load.events} ${BYTES} 0`);
  try {
    return await bursts(`${host.url}/v1/sessions/${id}/events`, "ca_turn_ended", load, send);
  } finally {
    await host.stop();
  }
}

async function bursts(
  url: string,
  end: string,
  { readers, events }: Load,
  send: () => Promise<unknown>,
): Promise<Rate> {
  const { next } = await startReaders(url, readers, { end, ends: BURSTS });
  const seconds: number[] = [];
  let lost = 0;
  for (let i = 0; i < BURSTS; i++) {
    const startedAt = Date.now();
    const sent = send();
    const seen = await next();
    await sent;
    lost += lostOf(seen, events);
    if (i >= WARM_UP) seconds.push((seen.at - startedAt) / 1000);
  }
  return { deliveriesPerSecond: (events * readers) / median(seconds), lost };
}

function lostOf({ least, missing }: Seen, events: number): number {
  return missing + Math.max(0, events - least);
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
